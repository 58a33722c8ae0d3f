#include "text/markdown_lines.h"

#include <algorithm>

#include "text/front_matter.h"
#include "text/yaml_lines.h"

namespace holdfast::inline v1 {
namespace {

struct Fence {
  char mark = 0;  // 0: no fence is open
  std::size_t length = 0;
  std::size_t container = 0;  // content column of the enclosing list item
};

void measure_indent(MarkdownLine& line) {
  while (line.indent_chars < line.text.size()) {
    const char c = line.text[line.indent_chars];
    if (c != ' ' && c != '\t') break;
    line.indent = c == ' ' ? line.indent + 1 : (line.indent / 4 + 1) * 4;
    ++line.indent_chars;
  }
  line.blank = line.indent_chars == line.text.size();
}

// Returns the column of the content after "- ", "* ", "+ ", "1. " or "1) "; 0 if this is not a list item.
std::size_t item_content(const MarkdownLine& line) {
  const std::string_view text = line.text.substr(line.indent_chars);
  std::size_t width = 0;
  while (width < text.size() && width < 9 && text[width] >= '0' && text[width] <= '9') ++width;
  const std::string_view marks = width == 0 ? "-*+" : ".)";
  if (width == text.size() || marks.find(text[width]) == std::string_view::npos) return 0;
  ++width;
  if (width < text.size() && text[width] != ' ' && text[width] != '\t') return 0;
  return line.indent + width + 1;
}

// Returns the length of the run of ` or ~ that opens or closes a fence on this line; 0 if none.
std::size_t fence_run(std::string_view text) {
  if (text.empty() || (text[0] != '`' && text[0] != '~')) return 0;
  const std::size_t length = std::min(text.find_first_not_of(text[0]), text.size());
  return length < 3 ? 0 : length;
}

bool opens(std::string_view text, std::size_t run) {
  return run != 0 && (text[0] == '~' || text.find('`', run) == std::string_view::npos);
}

}  // namespace

std::vector<MarkdownLine> markdown_lines(std::string_view doc) {
  std::vector<MarkdownLine> lines;
  std::vector<std::size_t> items;  // content columns of the enclosing list items
  Fence fence;
  for (std::size_t at = split_front_matter(doc).body_at; at < doc.size(); at = lines.back().next) {
    MarkdownLine line{.at = at, .next = next_line(doc, at), .text = doc.substr(at, line_end(doc, at) - at)};
    measure_indent(line);
    const std::string_view text = line.text.substr(line.indent_chars);
    const std::size_t run = fence_run(text);
    if (fence.mark != 0 && !line.blank && line.indent < fence.container) fence = {};
    if (fence.mark != 0) {
      line.code = true;
      const bool closes = run >= fence.length && text[0] == fence.mark && is_blank_line(text.substr(run)) &&
                          line.indent < fence.container + 4;
      if (closes) fence = {};
    } else if (!line.blank) {
      line.item = item_content(line);
      while (!items.empty() && items.back() > line.indent) items.pop_back();
      const std::size_t container = items.empty() ? 0 : items.back();
      if (opens(text, run) && line.indent < container + 4) {
        fence = {text[0], run, container};
        line.code = true;
      }
      if (line.item != 0) items.push_back(line.item);
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace holdfast::inline v1
