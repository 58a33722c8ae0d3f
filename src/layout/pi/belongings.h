// What belongs to a session of this agent, for an archive.
#pragma once

#include <array>

#include "layout/belongings.h"

namespace holdfast::inline v1::pi {

inline constexpr auto kMainFiles = std::to_array<std::string_view>({"sessions/*/*.jsonl", "sessions/*.jsonl"});

// The folder of a directory: its path with '/', '\' and ':' replaced by '-'.
Result<std::string> folder_of(std::string_view project);

inline constexpr Belongings kBelongings{.main = kMainFiles, .folder_of = folder_of};

}  // namespace holdfast::inline v1::pi
