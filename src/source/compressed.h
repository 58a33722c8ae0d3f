// Compressed files of other agents. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// How many plain bytes a compressed file of that size may hold before it is treated as an attack:
// transcripts shrink to a tenth, output of machines to a hundredth.
std::uint64_t plain_limit(std::uint64_t packed);

enum class UnpackStatus {
  whole,
  torn,       // the file ends, or seems to end, in the middle of a frame, or other bytes follow a whole frame
  damaged,    // a frame is damaged; what was already unpacked from it may be wrong too
  too_large,  // more than `limit` bytes
  stopped,    // by `take`
};

// Passes the plain bytes of a zstd file to `take`, piece by piece, until it returns false. `more` returns compressed
// bytes, and none at the end. Sets *confirmed to the count of plain bytes from frames that ended properly.
// Memory: the window of a frame, at most 32 MiB, and a piece. Fails with too_large if a frame needs a larger window,
// and with the error of `more`.
Result<UnpackStatus> unpack_zstd(const std::function<Result<std::string_view>()>& more, std::uint64_t limit,
                                 const std::function<bool(std::string_view)>& take, std::uint64_t* confirmed = nullptr);

// Returns the plain bytes of a zstd file of one or more frames. If the last frame
// is cut off, or bytes that are not a frame follow a whole one, returns what could
// be decompressed and sets *torn. Fails with corrupt if there is no frame at the
// start or a frame is damaged, with too_large if over `limit`.
Result<std::string> decompress_zstd(std::string_view bytes, std::uint64_t limit, bool* torn = nullptr);

}  // namespace holdfast::inline v1
