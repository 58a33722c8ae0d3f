// Files of the cache: added to, or written under a name of their own before they
// stand for another one. Thread-safety: functions of their arguments.
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

// What a killed process left. One that still writes under such a name only writes in vain.
inline void remove_unfinished(Directory& directory, std::string_view name) {
  const auto names = directory.list("");
  if (!names) return;
  const std::string begin = std::string(name) + "-";
  for (const DirectoryEntry& entry : *names) {
    if (entry.name.starts_with(begin) && entry.name.ends_with(kUnfinished)) (void)directory.remove(entry.name);
  }
}

// A file to read from; nullptr and 0 when there is none, or it cannot be read.
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

// Adds bytes in one write to a file that is made when there is none; where they
// begin, or nothing when they are not all there.
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
