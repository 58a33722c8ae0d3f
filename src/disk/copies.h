// Marks a file system that contains copies of files which no longer exist anywhere else.
#pragma once

#include <holdfast/file_system.h>

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Implemented by file systems in addition to `FileSystem`.
class HoldsCopies {
 public:
  virtual ~HoldsCopies() = default;

  // Facts recorded when a session was copied, which the session's files do not contain themselves.
  struct CopyNote {
    std::string row;     // a JSON object
    bool shown = false;  // the note is about the very copy that is shown
  };
  // `root` is the root of the store in which the session is shown. nullopt if nothing was recorded.
  virtual std::optional<CopyNote> noted(std::string_view /*root*/, std::string_view /*id*/) { return std::nullopt; }
};

inline bool holds_copies(FileSystem& file_system) { return dynamic_cast<HoldsCopies*>(&file_system) != nullptr; }

}  // namespace holdfast::inline v1
