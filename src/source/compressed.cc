#include "source/compressed.h"

#include <zstd.h>

#include <algorithm>
#include <memory>

namespace holdfast::inline v1 {

Result<std::string> decompress_zstd(std::string_view bytes, std::uint64_t limit, bool* torn) {
  if (torn != nullptr) *torn = false;
  std::string plain;
  if (bytes.empty()) return plain;
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  if (!stream) return fail(Code::out_of_memory, "no memory to decompress");
  // A hostile header may ask for a window of gigabytes; 128 MiB is what zstd --ultra needs.
  ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, 27);

  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  bool whole_frame_seen = false;
  std::size_t left = 1;  // 0: exactly at the end of a frame
  std::string chunk(ZSTD_DStreamOutSize(), '\0');
  while (in.pos < in.size || left != 0) {
    ZSTD_outBuffer out{chunk.data(), chunk.size(), 0};
    const std::size_t consumed = in.pos;
    const std::size_t answer = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(answer) != 0) {
      if (!whole_frame_seen) return fail(Code::corrupt, std::string("not zstd: ") + ZSTD_getErrorName(answer));
      if (torn != nullptr) *torn = true;
      return plain;
    }
    if (out.pos > limit - std::min<std::uint64_t>(limit, plain.size())) {
      return fail(Code::too_large, "over the limit when decompressed");
    }
    plain.append(chunk.data(), out.pos);
    left = answer;
    if (left == 0) whole_frame_seen = true;
    if (left != 0 && in.pos == in.size && in.pos == consumed && out.pos == 0) {  // it wants bytes that are not there
      if (torn != nullptr) *torn = true;
      return plain;
    }
  }
  return plain;
}

}  // namespace holdfast::inline v1
