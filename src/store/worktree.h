// Where the main directory of a git repository is, seen from one of its
// worktrees. Thread-safety: as the FileSystem.
#pragma once

#include <holdfast/file_system.h>

#include <string>

namespace holdfast::inline v1 {

// `directory` itself unless its `.git` is the file of a worktree whose repository
// has a main directory and a note that leads back. Only reads; what cannot be
// read changes nothing.
std::string main_directory_of(FileSystem& file_system, const std::string& directory);

}  // namespace holdfast::inline v1
