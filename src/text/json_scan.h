// The only JSON grammar walker. Format and lenient points: docs/formats/json.md.
// Thread-safety: pure functions. They never read outside `text`, need no padding,
// allocate nothing and use constant stack regardless of nesting.
#pragma once

#include <cstddef>
#include <string_view>

namespace holdfast::inline v1 {

// Accepted nesting depth of containers; one more is too_deep.
inline constexpr std::size_t kJsonMaxDepth = 1024;

enum class JsonFault {
  none,
  empty,         // nothing but JSON whitespace
  bad_token,     // a byte that is not allowed at this position
  unterminated,  // the input ran out: a torn line
  trailing,      // a whole value, then more than whitespace: glued lines
  control_char,  // a raw byte below 0x20 where it is not allowed (NUL: anywhere)
  too_deep,      // more than kJsonMaxDepth containers
  bad_utf8,      // valid grammar, invalid encoding: the record can be kept
};

std::string_view json_fault_name(JsonFault fault);

struct JsonCheck {
  JsonFault fault = JsonFault::none;
  // Offset of the faulty byte; text.size() for unterminated and empty; the end
  // of the first whole value for trailing; the end of the value for none.
  std::size_t at = 0;

  bool ok() const { return fault == JsonFault::none; }
};

// Accepts exactly one value with optional JSON whitespace around it, all of it UTF-8.
// Grammar faults take precedence over bad_utf8. A byte-order mark is not whitespace:
// strip it from documents with without_bom first.
JsonCheck check_json(std::string_view text);

// Accepts exactly one object, valid UTF-8, without any raw byte below 0x20, so no
// reader splits the line in two. Spaces around tokens are accepted.
bool is_json_object_line(std::string_view line);

// Returns the end offset of the value whose first byte is at `from`; npos if no whole
// value starts there. Does not check UTF-8 or what follows the value. `inside` is the
// number of containers around it, which count toward kJsonMaxDepth.
std::size_t json_value_end(std::string_view text, std::size_t from, std::size_t inside = 0);

// Returns `text` without one leading UTF-8 byte-order mark.
std::string_view without_bom(std::string_view text);

// Returns the first offset at or after `from` that is not JSON whitespace, or text.size().
std::size_t skip_json_space(std::string_view text, std::size_t from);

}  // namespace holdfast::inline v1
