// The file that an error is about, as a path below a root. Thread-safety: a pure function.
#pragma once

#include <holdfast/error.h>
#include <holdfast/file_system.h>

#include <string>
#include <string_view>

#include "index/root_directories.h"

namespace holdfast::inline v1 {

// Paths from the system are absolute, those of a layout's own files are not. `fallback` if the error names no file
// below these roots.
inline std::string error_file(const RootDirectories& roots, const Error& error, std::string_view fallback) {
  if (!error.path.empty() && !error.path.starts_with('/')) return error.path;
  for (const auto& [name, directory] : roots) {
    const std::string root = directory == nullptr ? std::string() : directory->path() + "/";
    if (root.size() > 1 && error.path.starts_with(root)) return error.path.substr(root.size());
  }
  return std::string(fallback);
}

}  // namespace holdfast::inline v1
