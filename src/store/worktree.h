// Finds the main directory of a git repository from one of its worktrees.
// Thread-safety: that of the FileSystem.
#pragma once

#include <holdfast/file_system.h>

#include <string>

namespace holdfast::inline v1 {

// Returns `directory` itself unless its `.git` is the file of a worktree whose
// repository has a main directory and a link back. Only reads; files that cannot
// be read change nothing.
std::string main_directory_of(FileSystem& file_system, const std::string& directory);

}  // namespace holdfast::inline v1
