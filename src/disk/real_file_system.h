#pragma once

#include <holdfast/file_system.h>

#include <memory>

#include "disk/real_path.h"

namespace holdfast::inline v1 {

// A real file system that resolves paths in the given way; real_file_system() is the automatic one.
//
// A root is refused (unsafe_path) when it belongs to another user (root may open
// anybody's), or when everybody may write in it and it is not sticky. Being
// writable for a group is accepted: with a umask of 002, the default of several
// distributions, every user's own directories are.
std::unique_ptr<FileSystem> make_real_file_system(Resolve resolve);

}  // namespace holdfast::inline v1
