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

#include <cstdint>
#include <memory>

namespace holdfast::inline v1 {

std::unique_ptr<FileSystem> make_memory_file_system();

class Overlay : public FileSystem {
 public:
  // Whether a write was refused (disk_full) because it exceeded the budget. If so, the errors of whoever wrote here say
  // nothing about the file system below.
  virtual bool is_full() const = 0;
};

// Shows what is in `below`, which must outlive it, and keeps every change in memory, up to `budget` bytes: for finding
// out what a call would do. Locks are its own, too: it does not notice that somebody holds a file.
std::unique_ptr<Overlay> make_overlay(FileSystem& below, std::uint64_t budget = UINT64_MAX);

}  // namespace holdfast::inline v1
