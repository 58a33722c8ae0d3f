// The elements of a session document's history, whether the document is whole or
// damaged. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1::continue_dev {

struct HistoryElement {
  JsonView json;
  std::uint64_t offset = 0;
};

struct DamagedPlace {
  std::uint64_t offset = 0;
  std::string_view kind;  // torn, nul, glued, bad_utf8, not_json; or too_deep, which loses nothing
};

struct History {
  std::vector<HistoryElement> elements;
  std::vector<DamagedPlace> damage;  // empty if the document is whole
  bool listed = true;                // false if the document is whole but has no list of messages
};

// Returns every whole element, in order. After a damaged place, an element is an object
// in a list that has a message with a role. Views point into `text`. Looks at each byte
// a bounded number of times.
History read_history(std::string_view text);

}  // namespace holdfast::inline v1::continue_dev
