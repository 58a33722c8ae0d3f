// Chunks that Holdfast never writes: a correct header before a zstd frame of the test's own making.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "archive/chunk.h"
#include "base/hash.h"

namespace holdfast::inline v1 {

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  return text;
}

// What a frame says about itself, and what is in it: `content`, at most 128 KiB, then `zeros` in 4 bytes per 128 KiB.
struct ForgedFrame {
  std::optional<std::uint64_t> stated_size;
  int window_log = 20;  // 10 to 41
  std::string content;
  std::uint64_t zeros = 0;

  std::string bytes() const {
    constexpr std::uint64_t kBlock = std::uint64_t{128} << 10;
    constexpr char kEightBytes = '\xc0';
    std::string frame("\x28\xb5\x2f\xfd", 4);
    frame += stated_size ? kEightBytes : '\0';
    frame += static_cast<char>((window_log - 10) << 3);
    if (stated_size) frame += little_endian(*stated_size, 8);
    const auto block = [&](std::uint64_t type, std::uint64_t size, bool last) {
      frame += little_endian((last ? 1U : 0U) | type << 1 | size << 3, 3);
    };
    block(0, content.size(), zeros == 0);
    frame += content;
    for (std::uint64_t left = zeros; left > 0;) {
      const std::uint64_t size = std::min(left, kBlock);
      left -= size;
      block(1, size, left == 0);
      frame += '\0';
    }
    return frame;
  }
};

inline std::string forged_chunk(std::string_view name, std::uint32_t plain, std::string_view frame) {
  std::string payload = "HFCHUNK1";
  for (std::size_t i = 0; i < name.size(); i += 2)
    payload += static_cast<char>(std::stoi(std::string(name.substr(i, 2)), nullptr, 16));
  payload += little_endian(plain, 4) + little_endian(frame.size(), 4);
  return std::string(kChunkMagic) + little_endian(payload.size() + 4, 4) + payload + little_endian(crc32c(payload), 4) +
         std::string(frame);
}

}  // namespace holdfast::inline v1
