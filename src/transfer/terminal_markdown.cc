#include "transfer/terminal_markdown.h"

#include <algorithm>

#include "base/utf8.h"

namespace holdfast::inline v1 {
namespace {

// Styles **bold**, *italic* and `code` within one line. Unclosed marks stay as they are.
std::string spans(std::string_view line, const Paint& paint) {
  if (!paint.colour) return std::string(line);
  std::string out;
  while (!line.empty()) {
    const std::size_t at = line.find_first_of("*`");
    out += line.substr(0, at);
    if (at == std::string_view::npos) break;
    line.remove_prefix(at);
    const std::string_view mark = line.starts_with("**") ? "**" : line.substr(0, 1);
    const std::size_t end = line.find(mark, mark.size());
    const bool empty = end == mark.size() || (mark == "*" && line.size() > 1 && line[1] == ' ');
    if (end == std::string_view::npos || empty) {
      out += mark;
      line.remove_prefix(mark.size());
      continue;
    }
    const std::string_view inner = line.substr(mark.size(), end - mark.size());
    out += mark == "`" ? paint.code(inner) : paint.bold(inner);
    line.remove_prefix(end + mark.size());
  }
  return out;
}

// The indentation of the second line of a list item.
std::size_t hang_of(std::string_view line) {
  std::size_t at = line.find_first_not_of(' ');
  if (at == std::string_view::npos) return 0;
  const std::string_view rest = line.substr(at);
  if (rest.starts_with("- ") || rest.starts_with("* ")) return at + 2;
  const std::size_t digits = rest.find_first_not_of("0123456789");
  if (digits != 0 && digits != std::string_view::npos && rest.substr(digits).starts_with(". ")) return at + digits + 2;
  return at;
}

void fold(std::string& out, std::string_view line, const Paint& paint, std::size_t width, std::string_view indent) {
  const std::string hang(hang_of(line), ' ');
  bool first = true;
  while (true) {
    const std::size_t room =
        width > indent.size() + hang.size() + 20 ? width - indent.size() - (first ? 0 : hang.size()) : 20;
    std::size_t end = line.size();
    if (utf8_characters(line) > room) {
      std::size_t seen = 0, space = std::string_view::npos;
      for (std::size_t i = 0; i < line.size() && seen <= room; ++i) {
        if (!is_utf8_tail(line[i])) ++seen;
        if (line[i] == ' ' && i > hang.size()) space = i;
      }
      if (space != std::string_view::npos) end = space;
    }
    out.append(indent).append(first ? "" : hang).append(spans(line.substr(0, end), paint)).append("\n");
    if (end >= line.size()) return;
    line.remove_prefix(end + 1);
    first = false;
  }
}

}  // namespace

std::string terminal_markdown(std::string_view text, const Paint& paint, std::size_t width, std::string_view indent) {
  std::string out;
  bool fenced = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::string_view bare = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    if (bare.starts_with("```")) {
      fenced = !fenced;
      continue;
    }
    if (fenced)
      out.append(indent).append("  ").append(paint.code(line)).append("\n");
    else if (bare.starts_with("#") && bare.find_first_not_of('#') != std::string_view::npos)
      out.append(indent).append(paint.bold(bare)).append("\n");
    else
      fold(out, line, paint, width, indent);
  }
  return out;
}

}  // namespace holdfast::inline v1
