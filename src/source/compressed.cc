#include "source/compressed.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace holdfast::inline v1 {
namespace {

// A hostile header may ask for gigabytes; zstd -19 writes 8 MiB.
constexpr int kWindowLog = 25;
constexpr std::uint64_t kAlways = std::uint64_t{8} << 20;
constexpr std::uint64_t kRatio = 1000;
constexpr std::uint64_t kMost = std::uint64_t{1} << 30;

using Stream = std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)>;

}  // namespace

std::uint64_t plain_limit(std::uint64_t packed) { return std::clamp(packed * kRatio, kAlways, kMost); }

Result<UnpackStatus> unpack_zstd(const std::function<Result<std::string_view>()>& more, std::uint64_t limit,
                                 const std::function<bool(std::string_view)>& take, std::uint64_t* confirmed) {
  const Stream stream(ZSTD_createDStream(), ZSTD_freeDStream);
  if (!stream) return fail(Code::out_of_memory, "not enough memory to decompress");
  ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, kWindowLog);
  std::string chunk(ZSTD_DStreamOutSize(), '\0');
  std::uint64_t plain = 0;
  bool whole_frame_seen = false;
  std::size_t left = 0;  // 0 exactly at the end of a frame
  bool ended = false;
  ZSTD_inBuffer in{nullptr, 0, 0};
  for (;;) {
    if (in.pos == in.size && !ended) {
      HOLDFAST_LET(bytes, more());
      in = {bytes.data(), bytes.size(), 0};
      ended = bytes.empty();
    }
    if (ended && left == 0) return UnpackStatus::whole;
    ZSTD_outBuffer out{chunk.data(), chunk.size(), 0};
    const std::size_t consumed = in.pos;
    const std::size_t answer = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(answer) != 0) {
      const ZSTD_ErrorCode why = ZSTD_getErrorCode(answer);
      if (why == ZSTD_error_frameParameter_windowTooLarge)
        return fail(Code::too_large, "decompressing it takes more than 32 MiB of memory");
      if (why == ZSTD_error_memory_allocation) return fail(Code::out_of_memory, "not enough memory to decompress");
      return whole_frame_seen && left == 0 ? UnpackStatus::torn : UnpackStatus::damaged;
    }
    if (out.pos > limit - plain) return UnpackStatus::too_large;
    plain += out.pos;
    if (out.pos > 0 && !take({chunk.data(), out.pos})) return UnpackStatus::stopped;
    left = answer;
    whole_frame_seen = whole_frame_seen || left == 0;
    if (left == 0 && confirmed != nullptr) *confirmed = plain;
    if (ended && left != 0 && in.pos == consumed && out.pos == 0)
      return UnpackStatus::torn;  // the frame needs more bytes
  }
}

Result<std::string> decompress_zstd(std::string_view bytes, std::uint64_t limit, bool* torn) {
  if (torn != nullptr) *torn = false;
  std::string plain;
  const auto more = [&]() -> Result<std::string_view> { return std::exchange(bytes, {}); };
  HOLDFAST_LET(end, unpack_zstd(more, limit, [&](std::string_view piece) {
                 plain += piece;
                 return true;
               }));
  if (end == UnpackStatus::too_large) return fail(Code::too_large, "over the limit when decompressed");
  if (end == UnpackStatus::damaged) return fail(Code::corrupt, "not zstd, or damaged");
  if (torn != nullptr) *torn = end == UnpackStatus::torn;
  return plain;
}

}  // namespace holdfast::inline v1
