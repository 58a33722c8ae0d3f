// A directory as remote: a mounted share, a stick, or a folder that any program copies between machines.
// docs/formats/sync.md. Names of any other form are not looked at; a stream ends before its first gap.
// It may belong to anybody; who may write in it can read what is made in it, and nobody else.
// Lifetime: the FileSystem outlives it. Thread-safety: one thread an object; any number of machines.
#pragma once

#include <holdfast/file_system.h>

#include <memory>

#include "sync/remote.h"

namespace holdfast::inline v1 {

// `path` is absolute and there; sync_transport_failed otherwise.
Result<std::unique_ptr<Remote>> open_directory_remote(FileSystem& files, const std::string& path);

}  // namespace holdfast::inline v1
