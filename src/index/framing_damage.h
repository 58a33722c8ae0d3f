// Counts the damaged places of a session: the `damage` of its row, whichever read found them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "index/directory_feed.h"

namespace holdfast::inline v1 {

// True if records were lost or merged there. False for missing things that a record refers to, and for wrong
// headers (`verify` reports those).
inline bool is_framing_damage(std::string_view kind) {
  constexpr auto kOthers =
      std::to_array<std::string_view>({"secret_in_header", "second_header", "header_not_first", "duplicate_id",
                                       "orphan_message", "missing", "missing_parent", "circular_history",
                                       "unsafe_output", "not_yaml", "empty", "unconfirmed", "too_deep", "no_text"});
  return std::ranges::find(kOthers, kind) == kOthers.end();
}

inline std::int64_t framing_damage(std::span<const PlacedFinding> findings) {
  return std::ranges::count_if(findings, [](const PlacedFinding& one) { return is_framing_damage(one.kind); });
}

}  // namespace holdfast::inline v1
