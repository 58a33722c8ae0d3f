// Files of the cache that are written under a name of their own before they stand
// for another one. Thread-safety: functions of their arguments.
#pragma once

#include <holdfast/file_system.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::string_view kUnfinished = ".new";

inline std::string unfinished_name(std::string_view name, std::uint64_t number) {
  return std::string(name).append("-").append(std::to_string(number)).append(kUnfinished);
}

// What a killed process left. One that still writes under such a name only writes in vain.
inline void remove_unfinished(Directory& directory, std::string_view name) {
  const auto names = directory.list("");
  if (!names) return;
  const std::string begin = std::string(name) + "-";
  for (const DirectoryEntry& entry : *names) {
    if (entry.name.starts_with(begin) && entry.name.ends_with(kUnfinished)) (void)directory.remove(entry.name);
  }
}

}  // namespace holdfast::inline v1
