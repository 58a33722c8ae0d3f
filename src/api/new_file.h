// Creates a file that a person named, outside of every store.
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

// Opens a directory to create a new file in. It may belong to anybody (/tmp, a shared directory), so its other
// contents are not trusted.
Result<std::unique_ptr<Directory>> open_folder_for_file(FileSystem& files, std::string_view folder);

// Checks whether write_new_file could create the file: fails with already_exists, or invalid_argument if there is no
// directory for it.
Result<void> check_new_file(FileSystem& files, const std::string& path);
// Creates the file, durable on return. Fails with already_exists if there is one. Leaves nothing behind if it fails.
Result<void> write_new_file(FileSystem& files, const std::string& path, std::string_view bytes);

}  // namespace holdfast::inline v1
