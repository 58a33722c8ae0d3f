// The YAML at the head of a Markdown file: between a first line `---` and the next line
// `---` or `...`. Spaces after the marks, CRLF and a byte-order mark are allowed.
// Thread-safety: pure functions. Lifetime: the views are slices of the document.
#pragma once

#include <holdfast/error.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct FrontMatter {
  bool found = false;
  std::string_view yaml;    // the lines between the marks, with their line ends
  std::string_view body;    // everything after the closing line; the whole document (without BOM) if not found
  std::size_t yaml_at = 0;  // offsets of yaml and body in the document
  std::size_t body_at = 0;
};

// An opening mark without a closing one is not front matter.
FrontMatter split_front_matter(std::string_view doc);

// Returns `doc` with `yaml` between the marks, or with new front matter at the start if
// it has none. If `yaml` lacks a final line end, adds one in the style of the document.
// All bytes of the marks and the body stay.
// Errors: invalid_argument (a line of `yaml` would end the front matter early).
Result<std::string> replace_front_matter(std::string_view doc, std::string_view yaml);

}  // namespace holdfast::inline v1
