// Steps over JSON without checking its grammar: for lines from which little is needed.
// Looks only at strings and brackets, 64 bytes at a time.
// Thread-safety: pure functions. They never read outside `text`, need no padding and
// allocate nothing, whatever the bytes are.
#pragma once

#include <cstddef>
#include <string_view>

namespace holdfast::inline v1 {

// Accepts one object and nothing else: its bracket closes with the last byte and not
// before, every string ends, no byte is below 0x20, all bytes are UTF-8. Rejects a
// torn, glued or NUL-filled line. Does not check the grammar inside.
bool is_framed_object(std::string_view line);

// Returns the end offset of the string, object or array whose first byte is at `from`,
// by its quotes and brackets alone; npos if it does not end, or if another kind of
// value is there.
std::size_t json_quick_end(std::string_view text, std::size_t from);

}  // namespace holdfast::inline v1
