#include "archive/chunk.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/hash.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kMark = "HFCHUNK1";
constexpr std::uint32_t kPayload = 52;
constexpr std::size_t kNameBytes = 32;
constexpr int kLevel = 3;

void put32(std::string& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(static_cast<unsigned char>(value >> shift));
}

std::uint32_t get32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

// By byte: its value as a hex digit, -1 if it is none.
constexpr std::array<signed char, 256> kDigits = [] {
  std::array<signed char, 256> digits{};
  digits.fill(-1);
  for (int value = 0; value < 16; ++value)
    digits[static_cast<std::size_t>("0123456789abcdef"[value])] = static_cast<signed char>(value);
  return digits;
}();
int digit(char c) { return kDigits[static_cast<unsigned char>(c)]; }

}  // namespace

bool is_chunk_name(std::string_view text) {
  return text.size() == 2 * kNameBytes && std::ranges::all_of(text, [](char c) { return digit(c) >= 0; });
}

std::optional<RawChunkName> raw_chunk_name(std::string_view name) {
  RawChunkName raw;
  if (name.size() != 2 * raw.size()) return std::nullopt;
  int faults = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const int high = digit(name[2 * i]), low = digit(name[2 * i + 1]);
    faults |= high | low;
    raw[i] = static_cast<char>(high * 16 + low);
  }
  return faults < 0 ? std::nullopt : std::optional(raw);
}

std::string chunk_name(const RawChunkName& raw) { return hex_of({raw.data(), raw.size()}); }

Result<std::string> pack_chunk(std::string_view name, std::string_view plain) {
  const auto raw = raw_chunk_name(name);
  if (plain.size() > kMaxChunk || !raw) return fail(Code::invalid_argument, "no chunk");
  using Packer = std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)>;
  thread_local const Packer packer(ZSTD_createCCtx(), ZSTD_freeCCtx);
  if (!packer) return fail(Code::out_of_memory, "not enough memory to compress");
  ZSTD_CCtx_setParameter(packer.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(packer.get(), ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(packer.get(), ZSTD_c_contentSizeFlag, 1);
  std::string frame(ZSTD_compressBound(plain.size()), '\0');
  const std::size_t size = ZSTD_compress2(packer.get(), frame.data(), frame.size(), plain.data(), plain.size());
  if (ZSTD_isError(size) != 0) return fail(Code::internal, std::string("cannot compress: ") + ZSTD_getErrorName(size));

  std::string out(kChunkMagic);
  put32(out, kPayload);
  out += kMark;
  out.append(raw->data(), raw->size());
  put32(out, static_cast<std::uint32_t>(plain.size()));
  put32(out, static_cast<std::uint32_t>(size));
  put32(out, crc32c(std::string_view(out).substr(8)));
  return out.append(frame, 0, size);
}

std::optional<ChunkHeader> read_chunk_header(std::string_view bytes) {
  if (bytes.size() < kChunkHeaderBytes || !bytes.starts_with(kChunkMagic) || get32(bytes, 4) != kPayload)
    return std::nullopt;
  const std::string_view payload = bytes.substr(8, kPayload);
  if (!payload.starts_with(kMark) || get32(payload, 48) != crc32c(payload.substr(0, 48))) return std::nullopt;
  ChunkHeader header{hex_of(payload.substr(8, kNameBytes)), get32(payload, 40), get32(payload, 44)};
  if (header.plain > kMaxChunk || header.packed == 0 || header.packed > ZSTD_compressBound(kMaxChunk))
    return std::nullopt;
  return header;
}

Result<std::string> unpack_chunk(const ChunkHeader& header, std::string_view frame, bool is_vouched) {
  const auto bad = [&](std::string_view why) {
    return fail(Code::corrupt, "chunk " + header.name + " " + std::string(why));
  };
  // Check the size before decoding: a frame without one may grow to gigabytes.
  if (frame.size() != header.packed || header.plain > kMaxChunk) return bad("is cut off");
  if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != header.plain)
    return bad("does not have the size it states");
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) return bad("is not a whole frame");
  std::string plain(header.plain, '\0');
  const std::size_t size = ZSTD_decompress(plain.data(), plain.size(), frame.data(), frame.size());
  if (ZSTD_isError(size) != 0 || size != plain.size()) return bad("cannot be decompressed");
  if (!is_vouched && sha256_hex(plain) != header.name) return bad("does not match the hash that names it");
  return plain;
}

}  // namespace holdfast::inline v1
