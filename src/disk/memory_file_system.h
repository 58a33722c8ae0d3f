// A file system in memory, for stores that need no disk: everything is gone with
// the last handle. Nothing in it is ever durable and nothing ever fails by chance;
// the disk that crashes and tears is in crash/disk.
//
// One tree from "/", the same errors and refusals as the real one. Symbolic links
// are followed by OpenMode::read and open_directory only.
//
// Thread-safety: any thread, one mutex. Handles may outlive it.
#pragma once

#include <holdfast/file_system.h>

#include <memory>

namespace holdfast::inline v1 {

std::unique_ptr<FileSystem> make_memory_file_system();

}  // namespace holdfast::inline v1
