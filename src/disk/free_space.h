// Free space at a path, where the system can report it. Thread-safety: any thread.
#pragma once

#include <holdfast/file_system.h>

#include <cstdint>
#include <string_view>

namespace holdfast::inline v1 {

// Implemented by file systems in addition to `FileSystem`.
class ReportsFreeSpace {
 public:
  virtual ~ReportsFreeSpace() = default;
  virtual Result<std::uint64_t> free_bytes(std::string_view path) = 0;
};

// Returns UINT64_MAX if the file system cannot say.
inline Result<std::uint64_t> free_bytes_at(FileSystem& file_system, std::string_view path) {
  auto* const knows = dynamic_cast<ReportsFreeSpace*>(&file_system);
  return knows == nullptr ? Result<std::uint64_t>(UINT64_MAX) : knows->free_bytes(path);
}

}  // namespace holdfast::inline v1
