// What belongs to a session of this agent, for an archive.
#pragma once

#include <array>

#include "layout/belongings.h"
#include "layout/serialized_rows.h"

namespace holdfast::inline v1::openclaw {

inline constexpr auto kMainFiles = std::to_array<std::string_view>({"agents/*/sessions/{id}.jsonl"});

const SerializedRows& serialized_rows();

inline constexpr Belongings kBelongings{.main = kMainFiles, .rows = serialized_rows};

}  // namespace holdfast::inline v1::openclaw
