// What belongs to a session of this agent, for an archive.
#pragma once

#include <array>

#include "layout/belongings.h"

namespace holdfast::inline v1::continue_dev {

inline constexpr auto kMainFiles = std::to_array<std::string_view>({"sessions/{id}.json"});

inline constexpr Belongings kBelongings{.main = kMainFiles};

}  // namespace holdfast::inline v1::continue_dev
