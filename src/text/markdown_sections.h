// Headings of a Markdown file with the bytes that belong to them, and lines like
// `**Status:** value`. Front matter and fenced code are not looked into.
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
  std::string_view text;     // without marks and spaces around it; of an underlined heading all its lines
  std::size_t at = 0;        // offset of its first line
  std::size_t body_at = 0;   // offset after its last line
  std::size_t end = 0;       // where its section ends: the next heading of any level
  std::size_t tree_end = 0;  // where its subtree ends: the next heading of the same or a higher level

  std::string_view section(std::string_view doc) const { return doc.substr(body_at, end - body_at); }
  std::string_view subtree(std::string_view doc) const { return doc.substr(body_at, tree_end - body_at); }
};

// ATX (`## x`) and setext (underlined with = or -) headings in order.
std::vector<MarkdownHeading> markdown_headings(std::string_view doc);

// A line `**Label:** value` or `**Label**: value`, alone or behind a bullet.
struct MarkdownLabel {
  std::string_view value;    // without the spaces around it
  std::size_t value_at = 0;  // offset of the value; right behind the marks when it is empty
};

// The first line with that label, spelled exactly so.
std::optional<MarkdownLabel> label_value(std::string_view doc, std::string_view label);

// `doc` with the value of the first such line replaced, all other bytes the same.
// Errors: not_found (no such line), invalid_argument (a value with a line end or
// with spaces around it, or an empty label).
Result<std::string> set_label(std::string_view doc, std::string_view label, std::string_view value);

}  // namespace holdfast::inline v1
