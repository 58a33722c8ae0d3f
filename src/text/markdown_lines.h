// Markdown line by line: indentation, list items and fenced code. Does not recognize
// block quotes, HTML or indented code. Skips front matter.
// Thread-safety: plain values. Lifetime: `text` is a slice of the document.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct MarkdownLine {
  std::size_t at = 0;            // offset of the line
  std::size_t next = 0;          // offset of the next line
  std::string_view text;         // without its line end
  std::size_t indent = 0;        // columns before the first character; a tab advances to the next multiple of 4
  std::size_t indent_chars = 0;  // indent in bytes
  bool blank = false;
  bool code = false;     // inside a fence of ``` or ~~~, or one of its marks
  std::size_t item = 0;  // for a list item, the column of its content; 0 for other lines
};

// Returns all lines of the body. A fence may be indented by up to three columns from
// the list item around it, and ends with that item if nothing else ends it.
std::vector<MarkdownLine> markdown_lines(std::string_view doc);

}  // namespace holdfast::inline v1
