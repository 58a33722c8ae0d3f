// What belongs to a session of this agent, for an archive.
#pragma once

#include <array>

#include "layout/belongings.h"
#include "layout/serialized_rows.h"

namespace holdfast::inline v1::opencode {

inline constexpr auto kMainFiles = std::to_array<std::string_view>({"*.rows/{id}.ndjson"});
inline constexpr auto kBeside = std::to_array<std::string_view>({"tool-output/tool_*"});

const SerializedRows& serialized_rows();

inline constexpr Belongings kBelongings{.main = kMainFiles, .beside = kBeside, .rows = serialized_rows};

}  // namespace holdfast::inline v1::opencode
