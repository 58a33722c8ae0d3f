#include "cli/render_cells.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/columns.h"
#include "text/clean.h"

namespace holdfast::inline v1 {

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
