// What belongs to a session of this layout, for an archive.
#pragma once

#include <array>

#include "layout/belongings.h"

namespace holdfast::inline v1::open_agent {

inline constexpr auto kMainFiles = std::to_array<std::string_view>({"projects/*/{id}.jsonl", "sessions/{id}.jsonl"});
inline constexpr auto kBeside = std::to_array<std::string_view>({"{dir}/{id}/**"});

inline constexpr Belongings kBelongings{.main = kMainFiles, .beside = kBeside};

}  // namespace holdfast::inline v1::open_agent
