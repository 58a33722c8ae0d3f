// What belongs to a session of this agent, for an archive.
#pragma once

#include <array>

#include "layout/belongings.h"
#include "layout/new_session_parts.h"

namespace holdfast::inline v1::qwen {

inline constexpr auto kMainFiles =
    std::to_array<std::string_view>({"projects/*/chats/{id}.jsonl", "projects/*/subagents/*/agent-{id}.jsonl"});
inline constexpr auto kBeside =
    std::to_array<std::string_view>({"projects/{1}/chats/{id}.*", "projects/{1}/subagents/{id}/*"});

inline constexpr auto kNamed = std::to_array<std::string_view>({"tmp/*/*.output"});

// Outputs that were too long for the log and are in files of their own.
Result<std::vector<Place>> named_outputs(Feed& feed, const SessionRef& ref);

inline constexpr auto kMemory = std::to_array<std::string_view>({"projects/{1}/memory/**"});

inline Result<std::string> folder_of(std::string_view project) { return dashed_path(project); }

inline constexpr Belongings kBelongings{.main = kMainFiles,
                                        .beside = kBeside,
                                        .memory = kMemory,
                                        .folder_of = folder_of,
                                        .named = named_outputs,
                                        .named_as = kNamed};

}  // namespace holdfast::inline v1::qwen
