// What belongs to a session of this agent, for an archive.
#pragma once

#include <array>

#include "layout/belongings.h"
#include "layout/new_session_parts.h"

namespace holdfast::inline v1::claude_code {

inline constexpr auto kMainFiles = std::to_array<std::string_view>(
    {"projects/*/{id}.jsonl", "projects/*/agent-{id}.jsonl", "projects/*/*/subagents/agent-{id}.jsonl"});
inline constexpr auto kBeside = std::to_array<std::string_view>(
    {"{dir}/{id}/**", "{dir}/agent-{id}.meta.json", "file-history/{id}/*", "todos/{id}-*.json"});

inline constexpr auto kMemory = std::to_array<std::string_view>({"projects/{1}/memory/**"});

inline Result<std::string> folder_of(std::string_view project) { return dashed_path_max_200(project); }

inline constexpr Belongings kBelongings{
    .main = kMainFiles, .beside = kBeside, .memory = kMemory, .folder_of = folder_of};

}  // namespace holdfast::inline v1::claude_code
