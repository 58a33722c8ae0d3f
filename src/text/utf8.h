// base/utf8.h, and the same question at the speed of the vector unit.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/utf8.h"

namespace holdfast::inline v1 {

// Offset of the first byte that is not part of a well-formed sequence; npos when there is none.
std::size_t utf8_fault(std::string_view text);

}  // namespace holdfast::inline v1
