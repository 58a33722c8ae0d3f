// Describes a tool call in one line, and edits as diffs.
// Thread-safety: pure functions. Texts are as in the transcript; they are not cleaned
// for terminals.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// What the call is about: its command, file, pattern, ...; else its input, on one line.
std::string tool_subject(const Block& call);

// The first line of an output that has content, and the number of lines after it.
struct OutputLine {
  std::string text;
  std::size_t more = 0;
};
OutputLine output_line(std::string_view output);

// Lines that an edit removes ('-'), adds ('+') or keeps (' '); empty for calls that
// edit nothing. At most three unchanged lines are kept before and after.
struct DiffLine {
  char mark;
  std::string text;
};
std::vector<DiffLine> edit_of(const Block& call);

}  // namespace holdfast::inline v1
