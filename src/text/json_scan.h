// The one JSON grammar walker. Format and lenient points: docs/formats/json.md.
// Thread-safety: pure functions. They never read outside `text`, need no
// padding, allocate nothing and use constant stack whatever the nesting.
#pragma once

#include <cstddef>
#include <string_view>

namespace holdfast::inline v1 {

// Containers inside one another that are accepted; one more is too_deep.
inline constexpr std::size_t kJsonMaxDepth = 1024;

enum class JsonFault {
  none,
  empty,         // nothing but JSON whitespace
  bad_token,     // a byte that cannot stand there
  unterminated,  // the input ran out: a torn line
  trailing,      // a whole value, then more than whitespace: glued lines
  control_char,  // a raw byte below 0x20 where it cannot stand (NUL: anywhere)
  too_deep,      // more than kJsonMaxDepth containers
  bad_utf8,      // grammar whole, encoding not: the record can be kept
};

std::string_view json_fault_name(JsonFault fault);

struct JsonCheck {
  JsonFault fault = JsonFault::none;
  // Offset of the faulty byte; text.size() for unterminated and empty; the end
  // of the first whole value for trailing; the end of the value for none.
  std::size_t at = 0;

  bool ok() const { return fault == JsonFault::none; }
};

// Exactly one value with optional JSON whitespace around it, and UTF-8
// throughout. Grammar faults come before bad_utf8. A byte-order mark is not
// whitespace: documents take it off with without_bom first.
JsonCheck check_json(std::string_view text);

// Exactly one object, valid UTF-8, no raw byte below 0x20 at all, so that the
// line cannot be cut in two by any reader. Spaces around tokens are accepted.
bool is_json_object_line(std::string_view line);

// End offset of the value whose first byte is at `from`; npos when no whole
// value starts there. UTF-8 is not checked. What follows it is not looked at.
// `inside`: how many containers it stands in, which count for kJsonMaxDepth.
std::size_t json_value_end(std::string_view text, std::size_t from, std::size_t inside = 0);

// `text` without one leading UTF-8 byte-order mark.
std::string_view without_bom(std::string_view text);

// First offset at or after `from` that is not JSON whitespace, or text.size().
std::size_t skip_json_space(std::string_view text, std::size_t from);

}  // namespace holdfast::inline v1
