// Reads several keys of an object in one walk. A value of an unexpected kind reads as
// nothing: agents' files come from many versions.
// Lifetime: views point into the text. Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// The values of `keys`, in that order; kind none if missing. The last duplicate wins.
template <std::size_t N>
std::array<JsonView, N> pick(JsonView object, const std::array<std::string_view, N>& keys) {
  std::array<JsonView, N> values;
  for (const JsonItem& field : object.fields()) {
    const bool plain = field.raw_key.find('\\') == std::string_view::npos;
    const std::string_view name = plain ? field.raw_key.substr(1, field.raw_key.size() - 2) : std::string_view();
    for (std::size_t i = 0; i < N; ++i) {
      if (plain ? name != keys[i] : !field.key_is(keys[i])) continue;
      values[i] = field.value;
      break;
    }
  }
  return values;
}

// Empty if the value is not a string.
inline std::string text_of(JsonView value) { return value.as_string().value_or(std::string()); }

// 0 if the value is not a number; fractions are truncated.
inline std::int64_t number_of(JsonView value) {
  if (const auto whole = value.as_int64()) return *whole;
  const auto number = value.kind() == JsonKind::number ? value.as_double() : std::nullopt;
  return number && *number > -9e15 && *number < 9e15 ? static_cast<std::int64_t>(*number) : 0;
}

// A count, clamped to [0, 2^53] so that sums cannot overflow; also accepts digits in a string.
inline std::int64_t count_of(JsonView value) {
  const std::string text = value.kind() == JsonKind::string ? text_of(value) : std::string();
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return std::clamp<std::int64_t>(number_of(digits ? JsonView(text) : value), 0, std::int64_t{1} << 53);
}

// A time as written, for model/time_formats.h: a text, or a number since 1970.
inline std::string written_time(JsonView value) {
  return value.kind() == JsonKind::number ? std::string(value.raw()) : text_of(value);
}

}  // namespace holdfast::inline v1
