// Integers that callers give, as JSON Schema defines them: 1.0 and 1e2 are integers, and some clients have no other
// numbers. What Holdfast or an agent wrote is read with JsonView::as_int64. Thread-safety: pure function.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// nullopt if the value is not an integer, or so large that a double may stand for several.
inline std::optional<std::int64_t> json_integer(JsonView value) {
  if (const auto plain = value.as_int64()) return plain;
  constexpr double kExact = 9007199254740992;  // 2^53
  const auto number = value.as_double();
  if (!number || std::abs(*number) >= kExact || std::trunc(*number) != *number) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

}  // namespace holdfast::inline v1
