// Says of a file system that what is in it are copies of what is nowhere else any more.
#pragma once

#include <holdfast/file_system.h>

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Implemented by file systems beside `FileSystem`.
class HoldsCopies {
 public:
  virtual ~HoldsCopies() = default;

  // What was noted of a session when it was copied, for what its files do not say themselves.
  struct Noted {
    std::string row;     // a JSON object
    bool shown = false;  // it is of the very copy that is shown
  };
  // `root`: of the store that it is shown in. nullopt: nothing.
  virtual std::optional<Noted> noted(std::string_view /*root*/, std::string_view /*id*/) { return std::nullopt; }
};

inline bool holds_copies(FileSystem& file_system) { return dynamic_cast<HoldsCopies*>(&file_system) != nullptr; }

}  // namespace holdfast::inline v1
