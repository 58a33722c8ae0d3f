// What belongs to a session of this agent, for an archive.
#pragma once

#include <array>

#include "layout/belongings.h"

namespace holdfast::inline v1::copilot {

inline constexpr auto kMainFiles = std::to_array<std::string_view>(
    {"session-state/{id}/events.jsonl", "session-state/{id}/workspace.yaml", "session-state/{id}.jsonl"});
inline constexpr auto kBeside = std::to_array<std::string_view>({"session-state/{id}/**"});

inline constexpr Belongings kBelongings{.main = kMainFiles, .beside = kBeside};

}  // namespace holdfast::inline v1::copilot
