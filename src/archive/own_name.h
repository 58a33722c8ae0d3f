// Thread-safety: a pure function of the file system.
#pragma once

#include <holdfast/file_system.h>

#include <string>

namespace holdfast::inline v1 {

// Makes the names durable that lead to a directory, an absolute path: who made it may have died before that (I-18).
Result<void> sync_own_name(FileSystem& file_system, const std::string& path);

}  // namespace holdfast::inline v1
