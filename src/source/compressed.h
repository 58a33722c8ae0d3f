// Compressed files of other agents. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// The plain bytes of a zstd file: one frame or several, one after the other. A
// last frame that ends in the middle gives what could be decompressed, and sets
// *torn; bytes that are no frame at all do the same after a whole frame.
// corrupt: no frame at the start, or a damaged one. too_large: over `limit`.
Result<std::string> decompress_zstd(std::string_view bytes, std::uint64_t limit, bool* torn = nullptr);

}  // namespace holdfast::inline v1
