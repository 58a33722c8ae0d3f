// Notes from a writer of the demo to the demo, one line each, over a pipe. A line is
// shorter than PIPE_BUF and sent with one write: it arrives whole or not at all,
// whenever the writer is killed. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

enum class NoteKind {
  begin,     // message `number` is about to be appended
  ack,       // ... was acknowledged, at `offset`, ending at `end`
  document,  // version `number` of the document was acknowledged
  found,     // opening found damage of kind `text`
  error,     // the writer gives up; `text` is the code's name and a message
};

struct Note {
  NoteKind kind = NoteKind::begin;
  std::uint64_t number = 0;
  std::uint64_t offset = 0;
  std::uint64_t end = 0;
  std::string text;

  bool operator==(const Note&) const = default;
};

std::string to_line(const Note& note);                  // with its newline
std::optional<Note> parse_note(std::string_view line);  // without

}  // namespace holdfast::inline v1
