// How a document is laid out, so that an insertion looks like its surroundings.
// Thread-safety: plain values and pure functions.
#pragma once

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Slices of the document where it shows its habits, else of static text.
struct JsonStyle {
  std::string_view eol = {};     // "\n" or "\r\n"; empty when members share one line
  std::string_view unit = "  ";  // what one level is indented by, where there are lines
  std::string_view colon = {};   // between key and value, colon included
  std::string_view spacer = {};  // between a comma and the next item on one line: "" or " "
  std::string_view indent = {};  // of the line the insertion starts on
};

// The habits of the whole document, read from its root and, for a root without
// keys, from the first element. `indent` is left empty.
JsonStyle json_style_of(std::string_view doc, JsonView root);

// "\r\n", "\n" or empty: the line end that `space` holds.
std::string_view line_end_in(std::string_view space);

// The spaces and tabs right after the last line end of `space`; empty without one.
std::string_view indent_in(std::string_view space);

// The spaces and tabs that open the line of doc[at].
std::string_view line_indent(std::string_view doc, std::size_t at);

}  // namespace holdfast::inline v1
