// What belongs to a session of this agent, for an archive.
#pragma once

#include <array>

#include "layout/belongings.h"

namespace holdfast::inline v1::codex {

inline constexpr auto kMainFiles =
    std::to_array<std::string_view>({"sessions/**/rollout-*{id}*", "archived_sessions/**/rollout-*{id}*"});

// The segments of a thread that was rewound; the ref has their paths.
std::vector<std::string> further_files(const SessionRef& ref);

inline constexpr Belongings kBelongings{.main = kMainFiles, .more = further_files};

}  // namespace holdfast::inline v1::codex
