// A chunk in a pack: a skippable zstd frame that describes it, then one zstd frame
// with the bytes. Format: docs/formats/archive.md. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::size_t kBlockBytes = std::size_t{256} << 10;
inline constexpr std::size_t kMaxChunk = std::size_t{1} << 20;
inline constexpr std::size_t kChunkHeaderBytes = 60;
inline constexpr std::string_view kChunkMagic("\x5e\x2a\x4d\x18", 4);  // one of the sixteen magics of skippable frames

struct ChunkHeader {
  std::string name;          // SHA-256 of the plain bytes, 64 hex digits
  std::uint32_t plain = 0;   // bytes, at most kMaxChunk
  std::uint32_t packed = 0;  // bytes of the zstd frame after the header
};

bool is_chunk_name(std::string_view text);
// A name without its hex digits.
using RawChunkName = std::array<char, 32>;
std::optional<RawChunkName> raw_chunk_name(std::string_view name);  // nullopt if it is none
std::string chunk_name(const RawChunkName& raw);

// Returns header and frame. `plain` has at most kMaxChunk bytes; `name` must be its name.
Result<std::string> pack_chunk(std::string_view name, std::string_view plain);

// nullopt unless `bytes` begin with a whole and plausible chunk header.
std::optional<ChunkHeader> read_chunk_header(std::string_view bytes);

// Returns the plain bytes of the frame. Fails with corrupt unless they match the
// header. Never uses more memory than kMaxChunk, whatever the frame claims.
// `is_vouched`: the bytes of the frame have a hash that was checked, so that of the plain bytes is not.
Result<std::string> unpack_chunk(const ChunkHeader& header, std::string_view frame, bool is_vouched = false);

}  // namespace holdfast::inline v1
