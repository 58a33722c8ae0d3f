#include "doors/cli/render_cells.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "doors/cli/columns.h"
#include "doors/cli/local_time.h"
#include "text/clean.h"
#include "text/json_text.h"

namespace holdfast::inline v1 {
namespace {

// Printable ASCII: harmless on a terminal, one column per byte.
bool is_printable(std::string_view text) {
  constexpr std::uint64_t kEach = 0x0101010101010101U;
  std::uint64_t odd = 0;
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data(), sizeof bytes);
    odd |= bytes | (bytes + kEach) | ((bytes - kEach * 0x20) & ~bytes);  // above, DEL, below
  }
  bool plain = (odd & (kEach * 0x80)) == 0;
  for (const char byte : text) plain = plain && byte >= ' ' && byte <= '~';
  return plain;
}

// A list of texts without unnecessary escapes.
std::string spelled_plainly(JsonView list) {
  std::string text;
  for (const JsonItem& item : list.elements()) {
    const auto word = item.value.as_string();
    text.append(text.empty() ? "[" : ",").append(word ? json_quoted(*word) : std::string(item.value.raw()));
  }
  return text.empty() ? "[]" : text + "]";
}

}  // namespace

std::size_t append_line(std::string& out, std::string_view text, std::size_t most) {
  constexpr std::string_view kCut = "…";
  // Only what is shown matters.
  if (most > kCut.size() && is_printable(text.substr(0, std::min(text.size(), most + 1)))) {
    if (text.size() <= most) {
      out += text;
      return text.size();
    }
    out.append(text.substr(0, most - kCut.size())).append(kCut);
    return most - kCut.size() + 1;
  }
  const std::string clean = clean_for_terminal(text, {.one_line = true, .max_bytes = most});
  out += clean;
  return shown_width(clean);
}

std::size_t append_cell(std::string& out, JsonView value, std::size_t most) {
  if (!value || value.is_null()) return 0;
  auto text = value.as_string();
  if (!text && value.kind() == JsonKind::array && value.raw().contains('\\')) text = spelled_plainly(value);
  return append_line(out, text ? std::string_view(*text) : value.raw(), most);
}

std::string cell_of(JsonView value, std::size_t most) {
  std::string text;
  append_cell(text, value, most);
  return text;
}

std::string value_of(const JsonItem& field, std::size_t most) {
  if (field.value.kind() != JsonKind::string || !is_time_field(field.key())) return cell_of(field.value, most);
  std::string text;
  append_line(text, local_time(field.value.as_string().value_or("")), most);
  return text;
}

std::string line_of(JsonView value, std::size_t most) {
  return clean_for_terminal(value.as_string().value_or(""), {.one_line = true, .max_bytes = most});
}

std::string painted(bool colour, std::string_view code, const std::string& text) {
  return colour && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::string wrapped(const std::string& head, const std::string& words, std::size_t width) {
  constexpr std::size_t kLeast = 20;
  const std::size_t indent = shown_width(head);
  const std::size_t room = width == 0 ? SIZE_MAX : std::max(kLeast, width - std::min(width, indent));
  std::string out = head, line;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    if (!line.empty() && shown_width(line) + 1 + shown_width(word) > room) {
      out += line + "\n" + std::string(indent, ' ');
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return out + line + "\n";
}

}  // namespace holdfast::inline v1
