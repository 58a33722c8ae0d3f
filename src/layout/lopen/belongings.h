// What belongs to a session of this layout, for an archive.
#pragma once

#include <array>

#include "layout/belongings.h"

namespace holdfast::inline v1::lopen {

inline constexpr auto kMainFiles = std::to_array<std::string_view>({".lopen/sessions/{id}/state.json"});
inline constexpr auto kBeside = std::to_array<std::string_view>({".lopen/sessions/{id}/**"});

inline constexpr Belongings kBelongings{.main = kMainFiles, .beside = kBeside};

}  // namespace holdfast::inline v1::lopen
