#include "doors/mcp/quoted_text.h"

#include <algorithm>

#include "text/json_text.h"

namespace holdfast::inline v1 {
namespace {

std::string note_of(std::size_t missing) {
  return missing == 0 ? std::string() : " … (" + std::to_string(missing) + " more bytes)";
}

// The first bytes, not cut inside a character.
std::string_view beginning(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

}  // namespace

void QuotedText::add(std::string_view text, std::size_t most) {
  if (text.empty()) return;
  const std::string_view shown = beginning(text, most);
  parts_.push_back({std::string(shown), text.size() - shown.size()});
}

std::string QuotedText::text() const {
  std::string all;
  for (const Part& part : parts_) all.append(part.shown).append(note_of(part.hidden));
  return all;
}

std::string QuotedText::cut(std::size_t most) const {
  std::string all = text();
  if (all.size() <= most) return all;
  all.clear();
  std::size_t missing = 0;
  for (const Part& part : parts_) {
    const std::size_t room = missing > 0 || all.size() >= most ? 0 : most - all.size();
    const std::string note = note_of(part.hidden);
    if (part.shown.size() + note.size() <= room) {
      all.append(part.shown).append(note);
      continue;
    }
    const std::string_view shown = beginning(part.shown, room);
    all.append(shown);
    missing += part.shown.size() - shown.size() + part.hidden;
  }
  return all + note_of(missing);
}

std::string QuotedText::fitted(std::size_t most) const {
  constexpr std::size_t kRest = 32;  // for " … (N more bytes)" and the quotes
  std::string all = text();
  if (all.size() + 2 <= most && json_quoted(all).size() <= most) return all;
  std::size_t room = std::min(all.size(), most > kRest ? most - kRest : 0);
  for (;;) {
    std::string some = cut(room);
    const std::size_t size = json_quoted(some).size();
    if (size <= most || room == 0) return some;
    room -= std::min(room, std::max<std::size_t>(room - room * most / size, 1));
  }
}

std::string shortened(std::string_view text, std::size_t most) { return QuotedText(text).cut(most); }

}  // namespace holdfast::inline v1
