// Sizes and counts for people. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// "13 KB", "1.2 MB", "3.4 GB"
inline std::string human_size(std::uint64_t bytes) {
  constexpr std::uint64_t kMega = 1 << 20, kGiga = 1 << 30;
  if (bytes < kMega) return std::to_string((bytes + 1023) / 1024) + " KB";
  const std::uint64_t unit = bytes < kGiga ? kMega : kGiga;
  const std::uint64_t tenths = bytes / unit * 10 + bytes % unit * 10 / unit;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + (unit == kMega ? " MB" : " GB");
}

// "1 session", "2 sessions"
template <typename Number>
std::string counted(Number count, std::string_view one) {
  return std::to_string(count).append(" ").append(one).append(count == 1 ? "" : "s");
}

}  // namespace holdfast::inline v1
