// The records of a message as its agent stored them: Message::raw, one JSON value per line.
// Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Calls `take` with the JsonView of each line.
template <typename Take>
void visit_records(std::string_view raw, const Take& take) {
  while (!raw.empty()) {
    const std::size_t end = std::min(raw.find('\n'), raw.size());
    take(JsonView(raw.substr(0, end)));
    raw.remove_prefix(std::min(end + 1, raw.size()));
  }
}

}  // namespace holdfast::inline v1
