#include "text/checklist.h"

#include "text/markdown_lines.h"

namespace holdfast::inline v1 {
namespace {

bool is_marker(char c) { return c >= 0x20 && c < 0x7F; }

bool is_checkbox(const MarkdownLine& line) {
  if (line.code) return false;
  const std::string_view text = line.text.substr(line.indent_chars);
  return text.size() > 6 && std::string_view("-*+").find(text[0]) != std::string_view::npos &&
         text.substr(1, 2) == " [" && is_marker(text[3]) && text.substr(4, 2) == "] ";
}

}  // namespace

std::vector<ChecklistItem> checklist(std::string_view doc) {
  std::vector<ChecklistItem> items;
  bool describing = false;
  for (const MarkdownLine& line : markdown_lines(doc)) {
    if (is_checkbox(line)) {
      const std::string_view text = line.text.substr(line.indent_chars);
      items.push_back({.at = line.at,
                       .marker_at = line.at + line.indent_chars + 3,
                       .indent = line.indent,
                       .indent_chars = line.indent_chars,
                       .bullet = text[0],
                       .marker = text[3],
                       .text = text.substr(6),
                       .description_at = line.next,
                       .description_end = line.next});
      describing = true;
    } else if (describing && !line.blank) {
      describing = line.indent > items.back().indent && line.item == 0;
      if (describing) items.back().description_end = line.next;
    }
  }
  return items;
}

Result<std::string> set_marker(std::string_view doc, const ChecklistItem& item, char marker) {
  if (!is_marker(marker) || marker == '[' || marker == ']') {
    return fail(Code::invalid_argument, "the marker of a checkbox must be one printable ASCII character");
  }
  const std::size_t at = item.marker_at;
  if (at == 0 || at + 1 >= doc.size() || doc[at - 1] != '[' || doc[at] != item.marker || doc[at + 1] != ']') {
    return fail(Code::conflict, "the checkbox no longer exists");
  }
  std::string out(doc);
  out[at] = marker;
  return out;
}

}  // namespace holdfast::inline v1
