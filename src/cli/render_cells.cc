#include "cli/render_cells.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/columns.h"
#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

// Between the quotes: what stands for itself, harms no terminal and takes a column a byte.
bool is_plain(std::string_view text) {
  bool plain = true;
  for (const char byte : text) plain &= byte >= ' ' && byte <= '~' && byte != '\\';
  return plain;
}

}  // namespace

std::string cell_of(JsonView value, std::size_t most) {
  if (!value || value.is_null()) return "";
  const std::string text = value.as_string().value_or(std::string(value.raw()));
  return clean_for_terminal(text, {.one_line = true, .max_bytes = most});
}

std::size_t append_cell(std::string& out, JsonView value, std::size_t most) {
  constexpr std::string_view kCut = "…";
  const std::string_view raw = value.raw();
  const bool quoted = raw.size() >= 2 && raw.front() == '"' && raw.back() == '"';
  // Most are plain, and need not be decoded; behind what is shown nothing matters.
  if (quoted && most > kCut.size() && is_plain(raw.substr(1, std::min(raw.size() - 2, most + 1)))) {
    const std::string_view text = raw.substr(1, raw.size() - 2);
    if (text.size() <= most) {
      out += text;
      return text.size();
    }
    out.append(text.substr(0, most - kCut.size())).append(kCut);
    return most - kCut.size() + 1;
  }
  const std::string text = cell_of(value, most);
  out += text;
  return shown_width(text);
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
