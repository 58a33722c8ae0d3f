// The elements of a session document's history, from whole documents and from
// damaged ones. Thread-safety: pure functions.
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
  std::string_view kind;  // torn, nul, glued, bad_utf8, not_json; too_deep, which loses nothing
};

struct History {
  std::vector<HistoryElement> elements;
  std::vector<DamagedPlace> damage;  // empty: the document is whole
  bool listed = true;                // false: it is whole, and has no list of messages
};

// Every element that is whole, in order. After a damaged place an element is an
// object that stands in a list and has a message with a role. Views point into
// `text`. Work: a bounded number of looks at each byte.
History read_history(std::string_view text);

}  // namespace holdfast::inline v1::continue_dev
