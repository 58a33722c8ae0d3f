// A tool call in one line that says what it did, and edits as differences.
// Thread-safety: pure functions. Texts are as the transcript has them: who
// prints them to a terminal cleans them.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// What the call is about: its command, file, pattern, ... else its input, on one line.
std::string tool_subject(const Block& call);

// The first line of an output that says something, and how many more there are.
struct OutputLine {
  std::string text;
  std::size_t more = 0;
};
OutputLine output_line(std::string_view output);

// Lines that an edit takes away ('-'), puts in ('+') or leaves (' '); empty for
// calls that edit nothing. Unchanged lines in front and behind are kept to three.
struct DiffLine {
  char mark;
  std::string text;
};
std::vector<DiffLine> edit_of(const Block& call);

}  // namespace holdfast::inline v1
