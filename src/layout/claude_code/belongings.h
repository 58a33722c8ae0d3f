// What belongs to a session of this agent, for an archive.
#pragma once

#include <array>

#include "layout/belongings.h"

namespace holdfast::inline v1::claude_code {

inline constexpr auto kMainFiles = std::to_array<std::string_view>(
    {"projects/*/{id}.jsonl", "projects/*/agent-{id}.jsonl", "projects/*/*/subagents/agent-{id}.jsonl"});
inline constexpr auto kBeside =
    std::to_array<std::string_view>({"{dir}/{id}/**", "file-history/{id}/*", "todos/{id}-*.json"});

inline constexpr Belongings kBelongings{.main = kMainFiles, .beside = kBeside};

}  // namespace holdfast::inline v1::claude_code
