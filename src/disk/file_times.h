// Setting the modification time of a file. Thread-safety: that of the file.
#pragma once

#include <holdfast/file_system.h>

#include <cstdint>

namespace holdfast::inline v1 {

// Implemented by files in addition to `File`.
class SetsFileTimes {
 public:
  virtual ~SetsFileTimes() = default;
  virtual Result<void> set_modified(std::int64_t ns) = 0;
};

inline Result<void> set_modified(File& file, std::int64_t ns) {
  auto* const times = dynamic_cast<SetsFileTimes*>(&file);
  return times == nullptr ? fail(Code::unsupported, "times cannot be set here") : times->set_modified(ns);
}

}  // namespace holdfast::inline v1
