// Headings of a Markdown file with their sections, and lines such as `**Status:**
// value`. Front matter and fenced code are ignored.
// Thread-safety: pure functions. Lifetime: views are slices of the document.
#pragma once

#include <holdfast/error.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct MarkdownHeading {
  int level = 1;             // 1 to 6
  std::string_view text;     // without marks and surrounding spaces; all lines of an underlined heading
  std::size_t at = 0;        // offset of its first line
  std::size_t body_at = 0;   // offset after its last line
  std::size_t end = 0;       // where its section ends: the next heading of any level
  std::size_t tree_end = 0;  // where its subtree ends: the next heading of the same or a higher level

  std::string_view section(std::string_view doc) const { return doc.substr(body_at, end - body_at); }
  std::string_view subtree(std::string_view doc) const { return doc.substr(body_at, tree_end - body_at); }
};

// Returns ATX (`## x`) and setext (underlined with = or -) headings in order.
std::vector<MarkdownHeading> markdown_headings(std::string_view doc);

// A line `**Label:** value` or `**Label**: value`, alone or after a bullet.
struct MarkdownLabel {
  std::string_view value;    // without surrounding spaces
  std::size_t value_at = 0;  // offset of the value; right after the marks if it is empty
};

// Returns the first line with exactly that label.
std::optional<MarkdownLabel> label_value(std::string_view doc, std::string_view label);

// Returns `doc` with the value of the first such line replaced; all other bytes stay.
// Errors: not_found (no such line), invalid_argument (the value has a line end or
// surrounding spaces, or the label is empty).
Result<std::string> set_label(std::string_view doc, std::string_view label, std::string_view value);

}  // namespace holdfast::inline v1
