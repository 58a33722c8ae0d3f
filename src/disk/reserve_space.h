// Reserves room at the end of a file before it is written, where the system supports that.
// Thread-safety: that of the file.
#pragma once

#include <holdfast/file_system.h>

#include <cstdint>

namespace holdfast::inline v1 {

// Implemented by files in addition to `File`.
class ReservesSpace {
 public:
  virtual ~ReservesSpace() = default;
  // Changes nothing that can be read. Fails with disk_full if appending this many bytes would be cut short by a full
  // disk, a quota or a size limit. Succeeds if the system cannot tell.
  virtual Result<void> reserve(std::uint64_t bytes) = 0;
};

inline Result<void> reserve_space(File& file, std::uint64_t bytes) {
  auto* const room = dynamic_cast<ReservesSpace*>(&file);
  return room == nullptr ? Result<void>() : room->reserve(bytes);
}

}  // namespace holdfast::inline v1
