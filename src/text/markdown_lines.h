// Markdown line by line: indentation, list items, and what is fenced code.
// Not looked into: block quotes, HTML, indented code. Front matter is skipped.
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
  std::size_t indent = 0;        // columns before the first character; a tab goes to the next multiple of 4
  std::size_t indent_chars = 0;  // the same in bytes
  bool blank = false;
  bool code = false;     // inside a fence of ``` or ~~~, or one of its marks
  std::size_t item = 0;  // a list item: column of its content; 0 for other lines
};

// All lines of the body. A fence may be indented by up to three columns from the
// list item that it stands in, and ends with that item if nothing else ends it.
std::vector<MarkdownLine> markdown_lines(std::string_view doc);

}  // namespace holdfast::inline v1
