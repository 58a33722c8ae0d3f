// base/utf8.h, and the same check at vector speed.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/utf8.h"

namespace holdfast::inline v1 {

// Returns the offset of the first byte that is not part of a well-formed sequence; npos if there is none.
std::size_t utf8_fault(std::string_view text);

}  // namespace holdfast::inline v1
