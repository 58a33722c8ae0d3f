// What belongs to a session of this layout, for an archive.
#pragma once

#include <array>

#include "layout/belongings.h"

namespace holdfast::inline v1::native {

inline constexpr auto kMainFiles = std::to_array<std::string_view>(
    {"projects/*/sessions/{id}/messages.jsonl", "projects/*/sessions/{id}/session.json"});
inline constexpr auto kBeside = std::to_array<std::string_view>({"projects/{1}/sessions/{id}/**"});
inline constexpr auto kShared = std::to_array<std::string_view>({"FORMAT", "projects/{1}/project.json"});

inline constexpr Belongings kBelongings{.main = kMainFiles, .beside = kBeside, .shared = kShared};

}  // namespace holdfast::inline v1::native
