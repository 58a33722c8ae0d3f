// Checkbox lines of Markdown as they stand in the file, and ticking one of them.
// Thread-safety: pure functions. Lifetime: `text` is a slice of the document.
#pragma once

#include <holdfast/error.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// A line `^(\s*)[-*+] \[(.)\] (.+)$` outside front matter and fenced code. The
// marker is one byte; who means what by it is the caller's business.
struct ChecklistItem {
  std::size_t at = 0;            // offset of the line
  std::size_t marker_at = 0;     // offset of the byte between the brackets
  std::size_t indent = 0;        // columns before the bullet; a tab goes to the next multiple of 4
  std::size_t indent_chars = 0;  // characters before it, where a tab counts as one
  char bullet = '-';
  char marker = ' ';
  std::string_view text;  // to the end of the line, spaces at its end included
  // The description: the lines that follow, as long as they are indented more than
  // the bullet and are no list items; [begin, end), blank lines at the end left out.
  std::size_t description_at = 0;
  std::size_t description_end = 0;
};

std::vector<ChecklistItem> checklist(std::string_view doc);

// `doc` with exactly one byte changed. `item` must come from checklist(doc).
// Errors: invalid_argument (a marker that is no printable ASCII character, or a
// bracket), conflict (no checkbox at that place: the item is of another document).
Result<std::string> set_marker(std::string_view doc, const ChecklistItem& item, char marker);

}  // namespace holdfast::inline v1
