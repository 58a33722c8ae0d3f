// The YAML at the head of a Markdown file: between a first line `---` and the next
// line `---` or `...`; spaces behind the marks, CRLF and a byte-order mark may be.
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
  std::string_view body;    // everything after the closing line; the whole document (without BOM) when not found
  std::size_t yaml_at = 0;  // offsets of the two in the document
  std::size_t body_at = 0;
};

// An opening mark without a closing one is no front matter.
FrontMatter split_front_matter(std::string_view doc);

// `doc` with other YAML between the marks, or with front matter before its first
// byte where it has none. A missing last line end of `yaml` is added in the manner
// of the document. Every byte of the marks and the body stays.
// Errors: invalid_argument (a line of `yaml` would end the front matter early).
Result<std::string> replace_front_matter(std::string_view doc, std::string_view yaml);

}  // namespace holdfast::inline v1
