// Says of a file system that what is in it are copies of what is nowhere else any more.
#pragma once

#include <holdfast/file_system.h>

namespace holdfast::inline v1 {

// Implemented by file systems beside `FileSystem`.
class HoldsCopies {
 public:
  virtual ~HoldsCopies() = default;
};

inline bool holds_copies(FileSystem& file_system) { return dynamic_cast<HoldsCopies*>(&file_system) != nullptr; }

}  // namespace holdfast::inline v1
