// UTF-8 as RFC 3629 has it, for the room below text; where the offset of a
// fault or speed matters, text/utf8.h has both. Thread-safety: pure function.
#pragma once

#include <string_view>

namespace holdfast::inline v1 {

bool is_utf8(std::string_view text);

}  // namespace holdfast::inline v1
