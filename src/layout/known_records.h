// What tells a record of a log from an object inside one, where the bytes of a damaged line allow both
// readings: half a line that was cut before a value, with the next one behind it (docs/formats/log.md, Salvage).
// Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "layout/json_pick.h"

namespace holdfast::inline v1 {

// Whether an object is a record of the log that holds `others`: a layout says so that knows one of them
// too, or any layout where there are no others.
bool is_record_beside(JsonView object, std::span<const std::string> others);

// An object with all of these keys, whatever their values are.
template <std::size_t N>
bool has_keys(JsonView object, const std::string_view (&keys)[N]) {
  const auto values = pick(object, std::to_array(keys));
  return std::ranges::all_of(values, [](JsonView value) { return value.kind() != JsonKind::none; });
}

}  // namespace holdfast::inline v1
