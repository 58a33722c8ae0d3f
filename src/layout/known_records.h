// Distinguishes a record of a log from an object inside a record when the bytes of a damaged line allow both
// readings: half a line that was cut before a value, followed by the next line (docs/formats/log.md, Salvage).
// Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "layout/json_pick.h"

namespace holdfast::inline v1 {

// Returns whether some layout recognizes `object` as a record and also one of `others`, the records of
// the same log. If `others` is empty, any layout that recognizes the object is enough.
bool is_record_beside(JsonView object, std::span<const std::string> others);

// Returns whether an object has all of these keys, whatever their values.
template <std::size_t N>
bool has_keys(JsonView object, const std::string_view (&keys)[N]) {
  const auto values = pick(object, std::to_array(keys));
  return std::ranges::all_of(values, [](JsonView value) { return value.kind() != JsonKind::none; });
}

}  // namespace holdfast::inline v1
