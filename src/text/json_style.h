// The formatting of a document, so an insertion looks like its surroundings.
// Thread-safety: plain values and pure functions.
#pragma once

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Slices of the document where it shows a style, else of static text.
struct JsonStyle {
  std::string_view eol = {};     // "\n" or "\r\n"; empty if members share one line
  std::string_view unit = "  ";  // indentation of one level, if there are lines
  std::string_view colon = {};   // between key and value, colon included
  std::string_view spacer = {};  // between a comma and the next item on one line: "" or " "
  std::string_view indent = {};  // of the line that the insertion starts on
};

// Returns the style of the whole document, taken from its root and, for a root without
// keys, from the first element. Leaves `indent` empty.
JsonStyle json_style_of(std::string_view doc, JsonView root);

// Returns the line end in `space`: "\r\n", "\n" or empty.
std::string_view line_end_in(std::string_view space);

// Returns the spaces and tabs right after the last line end in `space`; empty if there is none.
std::string_view indent_in(std::string_view space);

// Returns the spaces and tabs at the start of the line of doc[at].
std::string_view line_indent(std::string_view doc, std::size_t at);

}  // namespace holdfast::inline v1
