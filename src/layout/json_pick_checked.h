// Reads several keys of an object in one walk, as json_pick.h, from text that has passed check_json (or is part of such
// a text). What is not picked is stepped over by its quotes and brackets. Lifetime: views point into the text.
// Thread-safety: pure functions.
#pragma once

#include "layout/json_pick.h"
#include "text/json_cursor.h"

namespace holdfast::inline v1 {

// The values of `keys`, in that order; kind none if missing. The last duplicate wins.
template <std::size_t N>
std::array<JsonView, N> pick_checked(std::string_view object, const std::array<std::string_view, N>& keys) {
  std::array<JsonView, N> values;
  JsonCursor cursor(object);
  if (!cursor.enter_object()) return values;
  std::string_view key;
  while (cursor.next_key(key)) {
    const bool plain = key.find('\\') == std::string_view::npos;
    const std::string_view raw(key.data() - 1, key.size() + 2);  // with its quotes
    std::size_t i = 0;
    while (i < N && (plain ? key != keys[i] : !JsonItem{raw, {}}.key_is(keys[i]))) ++i;
    if (i < N)
      values[i] = cursor.skip();
    else if (!cursor.step_over())
      break;
  }
  return values;
}

}  // namespace holdfast::inline v1
