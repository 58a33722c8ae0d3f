// Files of the cache: appended to, or written under a temporary name before they
// replace another file. Thread-safety: functions of their arguments.
#pragma once

#include <holdfast/file_system.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::inline v1 {

inline constexpr std::string_view kUnfinished = ".new";

inline std::string unfinished_name(std::string_view name, std::uint64_t number) {
  return std::string(name).append("-").append(std::to_string(number)).append(kUnfinished);
}

// Removes what a killed process left. If a process still writes under such a name, its work is lost.
inline void remove_unfinished(Directory& directory, std::string_view name) {
  const auto names = directory.list("");
  if (!names) return;
  const std::string begin = std::string(name) + "-";
  for (const DirectoryEntry& entry : *names) {
    if (entry.name.starts_with(begin) && entry.name.ends_with(kUnfinished)) (void)directory.remove(entry.name);
  }
}

// A file open for reading; nullptr and 0 if there is none, or it cannot be read.
struct CacheFile {
  std::unique_ptr<File> file = {};
  std::uint64_t size = 0;
};
inline CacheFile open_in_cache(FileSystem& file_system, std::string_view cache, std::string_view name) {
  CacheFile found;
  if (cache.empty()) return found;
  const auto directory = file_system.open_directory(cache, false);
  if (!directory) return found;
  auto file = (*directory)->open(name, OpenMode::read);
  if (!file) return found;
  if (const auto stat = (*file)->stat()) found.size = stat->size;
  found.file = std::move(*file);
  return found;
}

// Appends bytes with one write, creating the file if necessary; returns where
// they begin, or nullopt if they are not all there.
inline std::optional<std::uint64_t> append_to_cache(FileSystem& file_system, std::string_view cache,
                                                    std::string_view name, std::string_view bytes) {
  if (cache.empty()) return std::nullopt;
  const auto directory = file_system.open_directory(cache, true);
  if (!directory) return std::nullopt;
  auto file = (*directory)->open(name, OpenMode::append);
  if (!file && file.error().code == Code::not_found) file = (*directory)->open(name, OpenMode::create_append);
  if (!file && file.error().code == Code::already_exists) file = (*directory)->open(name, OpenMode::append);
  if (!file) return std::nullopt;
  const auto count = (*file)->append(bytes);
  if (!count || *count != bytes.size()) return std::nullopt;
  return (*file)->append_end() - bytes.size();
}

}  // namespace holdfast::inline v1
