// Compressed files of other agents. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// How many plain bytes a packed file of that size may hold before it is taken for an attack:
// transcripts shrink to a tenth, machines' chatter to a hundredth.
std::uint64_t plain_limit(std::uint64_t packed);

enum class Unpacked {
  whole,
  torn,       // it ends in the middle of a frame, or seems to, or something that is no frame follows one
  damaged,    // a frame is; what was unpacked from it before may be wrong too
  too_large,  // more than `limit` bytes
  stopped,    // by `take`
};

// The plain bytes of a zstd file, piece by piece, until `take` says false. `more` gives packed
// bytes, and none at the end. Memory: the window of a frame, at most 32 MiB, and a piece.
// `confirmed`: how many of them are of frames that ended as they should. too_large: a window above that. What `more`
// fails with.
Result<Unpacked> unpack_zstd(const std::function<Result<std::string_view>()>& more, std::uint64_t limit,
                             const std::function<bool(std::string_view)>& take, std::uint64_t* confirmed = nullptr);

// The plain bytes of a zstd file: one frame or several, one after the other. A
// last frame that ends in the middle gives what could be decompressed, and sets
// *torn; bytes that are no frame at all do the same after a whole frame.
// corrupt: no frame at the start, or a damaged one. too_large: over `limit`.
Result<std::string> decompress_zstd(std::string_view bytes, std::uint64_t limit, bool* torn = nullptr);

}  // namespace holdfast::inline v1
