// Checkbox lines of Markdown as written in the file, and ticking one of them.
// Thread-safety: pure functions. Lifetime: `text` is a slice of the document.
#pragma once

#include <holdfast/error.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// A line `^(\s*)[-*+] \[(.)\] (.+)$` outside front matter and fenced code. The marker
// is one byte; its meaning is up to the caller.
struct ChecklistItem {
  std::size_t at = 0;            // offset of the line
  std::size_t marker_at = 0;     // offset of the byte between the brackets
  std::size_t indent = 0;        // columns before the bullet; a tab advances to the next multiple of 4
  std::size_t indent_chars = 0;  // characters before the bullet; a tab counts as one
  char bullet = '-';
  char marker = ' ';
  std::string_view text;  // to the end of the line, trailing spaces included
  // The description: the following lines that are indented more than the bullet and are
  // not list items; [begin, end), without trailing blank lines.
  std::size_t description_at = 0;
  std::size_t description_end = 0;
};

std::vector<ChecklistItem> checklist(std::string_view doc);

// Returns `doc` with exactly one byte changed. `item` must come from checklist(doc).
// Errors: invalid_argument (the marker is a bracket or not a printable ASCII character),
// conflict (no checkbox at that offset: the item belongs to another document).
Result<std::string> set_marker(std::string_view doc, const ChecklistItem& item, char marker);

}  // namespace holdfast::inline v1
