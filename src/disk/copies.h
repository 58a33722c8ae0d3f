// Marks a file system that contains copies of files which no longer exist anywhere else.
#pragma once

#include <holdfast/file_system.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// Implemented by file systems in addition to `FileSystem`.
class HoldsCopies {
 public:
  virtual ~HoldsCopies() = default;

  // Facts recorded when a session was copied, which the session's files do not contain themselves.
  struct CopyNote {
    std::string row;          // a JSON object
    bool shown = false;       // the note is about the very copy that is shown
    std::uint64_t lacks = 0;  // how many lines of an earlier copy it lacks
  };
  // `root` is the root of the store in which the session is shown. nullopt if nothing was recorded.
  virtual std::optional<CopyNote> noted(std::string_view /*root*/, std::string_view /*id*/) { return std::nullopt; }
};

// Bytes of a copy that are lost. They are read as NULs, so that everything else can be read.
struct CopyGap {
  std::uint64_t offset = 0, length = 0;
  std::string why;
};

// Implemented by directories of copies in addition to `Directory`.
class HasCopyGaps {
 public:
  virtual ~HasCopyGaps() = default;
  // What reading that file has come across so far.
  virtual std::vector<CopyGap> gaps(std::string_view path) = 0;
};

inline std::vector<CopyGap> copy_gaps(Directory& directory, std::string_view path) {
  auto* const copies = dynamic_cast<HasCopyGaps*>(&directory);
  return copies == nullptr ? std::vector<CopyGap>() : copies->gaps(path);
}

inline bool holds_copies(FileSystem& file_system) { return dynamic_cast<HoldsCopies*>(&file_system) != nullptr; }

}  // namespace holdfast::inline v1
