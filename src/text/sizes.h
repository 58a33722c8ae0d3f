// Sizes for people. Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast::inline v1 {

// "13 KB", "1.2 MB", "3.4 GB"
inline std::string human_size(std::uint64_t bytes) {
  constexpr std::uint64_t kMega = 1 << 20, kGiga = 1 << 30;
  if (bytes < kMega) return std::to_string((bytes + 1023) / 1024) + " KB";
  const std::uint64_t unit = bytes < kGiga ? kMega : kGiga;
  const std::uint64_t tenths = bytes / unit * 10 + bytes % unit * 10 / unit;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + (unit == kMega ? " MB" : " GB");
}

}  // namespace holdfast::inline v1
