// Stepping over JSON without looking at its grammar: for lines of which little is
// wanted. Sees strings and brackets only, 64 bytes at a time.
// Thread-safety: pure functions. They never read outside `text`, need no padding
// and allocate nothing, whatever the bytes are.
#pragma once

#include <cstddef>
#include <string_view>

namespace holdfast::inline v1 {

// One object and nothing else: its bracket closes with the last byte and not
// before, every string ends, no byte is below 0x20, all of it is UTF-8. A torn,
// glued or NUL-filled line is not one. The grammar inside is not checked.
bool frames_one_object(std::string_view line);

// End offset of the string, object or array whose first byte is at `from`, by
// its quotes and brackets alone; npos when it does not end, or when something
// else is there.
std::size_t json_quick_end(std::string_view text, std::size_t from);

}  // namespace holdfast::inline v1
