#include "demo/wire.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace holdfast::inline v1 {
namespace {

constexpr std::array<std::string_view, 5> kWords{"begin", "ack", "document", "found", "error"};
constexpr std::size_t kTextMax = 1000;

bool take_number(std::string_view& line, std::uint64_t& value) {
  if (line.empty() || line.front() != ' ') return false;
  const auto [end, error] = std::from_chars(line.data() + 1, line.data() + line.size(), value);
  if (error != std::errc{}) return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return true;
}

}  // namespace

std::string to_line(const Note& note) {
  std::string text = note.text.substr(0, kTextMax);
  std::ranges::replace(text, '\n', ' ');
  return fmt::format("{} {} {} {} {}\n", kWords[static_cast<std::size_t>(note.kind)], note.number, note.offset,
                     note.end, text);
}

std::optional<Note> parse_note(std::string_view line) {
  const auto word = std::ranges::find(kWords, line.substr(0, line.find(' ')));
  if (word == kWords.end()) return std::nullopt;
  line.remove_prefix(word->size());
  Note note;
  note.kind = static_cast<NoteKind>(word - kWords.begin());
  if (!take_number(line, note.number) || !take_number(line, note.offset) || !take_number(line, note.end))
    return std::nullopt;
  if (line.empty() || line.front() != ' ') return std::nullopt;
  note.text = line.substr(1);
  return note;
}

}  // namespace holdfast::inline v1
