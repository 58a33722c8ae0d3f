// A file system in memory, for stores that need no disk. Everything is gone when
// the last handle is. Nothing in it is ever durable and nothing fails at random;
// the disk that crashes and tears is in crash/disk.
//
// One tree from "/", with the errors and refusals of the real file system. Only
// OpenMode::read, the _to_read calls and open_directory follow symbolic links.
//
// Thread-safety: any thread, one mutex. Handles may outlive the file system.
#pragma once

#include <holdfast/file_system.h>

#include <memory>

namespace holdfast::inline v1 {

std::unique_ptr<FileSystem> make_memory_file_system();

// Shows what is in `below`, which must outlive it, and keeps every change in memory: for finding out what a call
// would do. Locks are its own, too: it does not notice that somebody holds a file.
std::unique_ptr<FileSystem> make_overlay(FileSystem& below);

}  // namespace holdfast::inline v1
