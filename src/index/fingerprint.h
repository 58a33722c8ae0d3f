// Distinguishes two states of a file without reading it (decision 34).
#pragma once

#include <holdfast/file_system.h>

#include <cstdint>

namespace holdfast::inline v1 {

struct Fingerprint {
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;

  static Fingerprint of(const FileStat& stat) { return {stat.inode, stat.size, stat.mtime_ns, stat.ctime_ns}; }
  static Fingerprint missing() { return {}; }
  bool operator==(const Fingerprint&) const = default;

  // git's rule: do not trust a file that changed so shortly before it was
  // examined that a second change could leave the same times (clocks tick in
  // steps of up to 10 ms, network and FAT times in 2 s).
  bool racy(std::int64_t looked_ns) const {
    return mtime_ns + 2'000'000'000 > looked_ns || ctime_ns + 2'000'000'000 > looked_ns;
  }
};

}  // namespace holdfast::inline v1
