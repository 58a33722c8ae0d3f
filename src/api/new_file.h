// A file that a person asked for by name, outside of every store.
#pragma once

#include <holdfast/file_system.h>

#include <memory>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct SplitPath {
  std::string folder, name;
};
SplitPath split_path(const std::string& path);  // absolute

// The directory for it, which may be anybody's (/tmp, one that a team shares): a file is created there that was not
// there, and nothing that lies there is believed.
Result<std::unique_ptr<Directory>> folder_for_new(FileSystem& files, std::string_view folder);

// Whether write_new could make it: already_exists, or invalid_argument where there is no directory for it.
Result<void> check_new(FileSystem& files, const std::string& path);
// Durable when this returns; already_exists: never in place of another. Nothing is left of one that failed.
Result<void> write_new(FileSystem& files, const std::string& path, std::string_view bytes);

}  // namespace holdfast::inline v1
