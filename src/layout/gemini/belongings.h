// What belongs to a session of this agent, for an archive.
#pragma once

#include <array>

#include "layout/belongings.h"

namespace holdfast::inline v1::gemini {

inline constexpr auto kMainFiles =
    std::to_array<std::string_view>({"tmp/*/chats/session-*.json*", "tmp/*/chats/*/{id}.jsonl"});
inline constexpr auto kBeside = std::to_array<std::string_view>(
    {"tmp/{1}/chats/session-*-{id8}.json*", "tmp/{1}/chats/{id}/*", "tmp/{1}/tool-outputs/session-{id}/**"});
inline constexpr auto kShared = std::to_array<std::string_view>({"tmp/{1}/.project_root"});

std::string renewal(std::string_view path, std::string_view time);
std::string time_in_content(std::string_view text);
bool is_empty_conversation(std::string_view bytes);

inline constexpr Belongings kBelongings{.main = kMainFiles,
                                        .beside = kBeside,
                                        .shared = kShared,
                                        .renewal = renewal,
                                        .time_in_content = time_in_content,
                                        .is_empty_conversation = is_empty_conversation};

}  // namespace holdfast::inline v1::gemini
