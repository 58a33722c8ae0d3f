// Thread-safety: a pure function of the file system.
#pragma once

#include <holdfast/file_system.h>

#include <string>

namespace holdfast::inline v1 {

// Syncs every directory above an absolute path: whoever created the path may have crashed before doing so (I-18).
Result<void> sync_parents(FileSystem& file_system, const std::string& path);

}  // namespace holdfast::inline v1
