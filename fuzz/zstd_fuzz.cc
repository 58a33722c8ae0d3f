// Arbitrary bytes as a compressed file: never more plain bytes than the limit, the same bytes
// however the input is split, and reading as a whole agrees with reading in pieces.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "source/compressed.h"

namespace {

using namespace holdfast;

constexpr std::uint64_t kLimit = std::uint64_t{1} << 20;

void require(bool condition) {
  if (!condition) std::abort();
}

Result<UnpackStatus> unpack(std::string_view packed, std::size_t at_once, std::string& plain) {
  plain.clear();
  return unpack_zstd(
      [&]() -> Result<std::string_view> {
        const std::string_view next = packed.substr(0, at_once);
        packed.remove_prefix(next.size());
        return next;
      },
      kLimit,
      [&](std::string_view piece) {
        plain += piece;
        return true;
      });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view packed(reinterpret_cast<const char*>(data), size);
  std::string at_once, in_pieces;
  const auto first = unpack(packed, packed.size() + 1, at_once);
  const auto second = unpack(packed, 3, in_pieces);
  require(at_once.size() <= kLimit && in_pieces.size() <= kLimit);
  require(first.has_value() == second.has_value());
  if (!first) return 0;
  require(*first == *second || *first == UnpackStatus::damaged || *second == UnpackStatus::damaged);
  if (*first == UnpackStatus::whole) require(at_once == in_pieces);
  const auto whole = decompress_zstd(packed, kLimit);
  if (*first == UnpackStatus::whole) require(whole && *whole == at_once);
  if (*first == UnpackStatus::too_large) require(!whole);
  return 0;
}
