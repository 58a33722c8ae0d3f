// Like json_pick.h, for lines that are mostly skipped: values that are not wanted are
// scanned only for quotes and brackets. If the bytes of a value are kept unchanged, the
// record must have been validated (or use json_pick.h).
// Lifetime: views point into the text. Thread-safety: pure functions.
#pragma once

#include <array>
#include <string_view>

#include "text/json_cursor.h"

namespace holdfast::inline v1 {

// The values of `keys`, in that order; kind none if missing. The last duplicate wins. Keys
// written with escapes are not found. Consumes the object under the cursor.
template <std::size_t N>
std::array<JsonView, N> quick_pick(JsonCursor& at, const std::array<std::string_view, N>& keys) {
  std::array<JsonView, N> values;
  std::string_view key;
  if (!at.enter_object()) {
    at.skip();
    return values;
  }
  while (at.next_key(key)) {
    const std::string_view value = at.skip_raw();
    for (std::size_t i = 0; i < N; ++i) {
      if (key != keys[i]) continue;
      values[i] = JsonView(value);
      break;
    }
  }
  return values;
}

template <std::size_t N>
std::array<JsonView, N> quick_pick(JsonView object, const std::array<std::string_view, N>& keys) {
  JsonCursor at(object.raw());
  return quick_pick<N>(at, keys);
}

}  // namespace holdfast::inline v1
