// A directory as remote: a mounted share, a USB stick, or a folder that any program copies between machines.
// docs/formats/sync.md. Ignores names of any other form; a stream ends before its first gap. The directory
// may belong to anybody; files in it are readable to those who may write in it, and to nobody else.
// Lifetime: the FileSystem must outlive the object. Thread-safety: one thread per object; any number of machines.
#pragma once

#include <holdfast/file_system.h>

#include <memory>

#include "sync/remote.h"

namespace holdfast::inline v1 {

// `path` must be absolute and exist; fails with sync_transport_failed otherwise.
Result<std::unique_ptr<Remote>> open_directory_remote(FileSystem& files, const std::string& path);

}  // namespace holdfast::inline v1
