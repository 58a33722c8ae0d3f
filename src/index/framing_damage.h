// How many places of a session are damaged: what `damage` of its row counts, by which reading ever it was found.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "index/directory_feed.h"

namespace holdfast::inline v1 {

// Whether records were lost or run into each other there: not what a record refers to and is not there, nor what a
// header should not say (`verify` tells of those).
inline bool is_framing_damage(std::string_view kind) {
  constexpr auto kOthers = std::to_array<std::string_view>(
      {"secret_in_header", "second_header", "header_not_first", "duplicate_id", "orphan_message", "missing",
       "missing_parent", "circular_history", "unsafe_output", "not_yaml", "empty", "unconfirmed", "too_deep"});
  return std::ranges::find(kOthers, kind) == kOthers.end();
}

inline std::int64_t framing_damage(std::span<const PlacedFinding> findings) {
  return std::ranges::count_if(findings, [](const PlacedFinding& one) { return is_framing_damage(one.kind); });
}

}  // namespace holdfast::inline v1
