// Real disks for the laboratory: an ext4 or xfs image under a loop device, a
// tmpfs of a chosen size, and the shutdown ioctl that simulates a power cut.
//
// Nothing is ever left behind, however the program ends, including SIGKILL: the
// mounts are in our own mount namespace, which ends with us and our children
// (each calls die_with_parent(), or it would keep the mounts); a loop device
// detaches itself when its last user ends (autoclear); the image loses its name
// as soon as the device holds it. Destructors do the same earlier, and
// check_leftovers() checks that they did.
// Thread-safety: one thread; create the first disk before starting threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab.h"

namespace holdfast::lab {

enum class DiskKind { ext4, xfs };
const char* disk_kind_name(DiskKind kind);

// Why disks cannot be created here; empty if they can.
std::string disks_unavailable_reason(bool images);

// Makes mounts invisible to, and independent of, the rest of the system. False
// if the system does not allow that; disks still work then.
bool make_mounts_private();

// For a child after fork(): kills it when its parent ends, for whatever reason.
void die_with_parent();

// Runs a program and shows its output only if it fails. Returns an empty string, or what went wrong.
std::string run_program(const std::vector<std::string>& words);

// Creates a file system of that kind in the file.
std::string make_file_system(DiskKind kind, const std::string& image);

class LoopDisk {
 public:
  // `directory` is created and becomes the mount point. ok() tells whether it worked.
  LoopDisk(DiskKind kind, std::string directory, unsigned megabytes);
  // A disk whose image another file system provides; it is neither created nor removed.
  static LoopDisk over(DiskKind kind, std::string directory, const std::string& image);
  LoopDisk(LoopDisk&& other) noexcept;
  LoopDisk& operator=(LoopDisk&&) = delete;
  ~LoopDisk();

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  const std::string& path() const { return directory_; }
  DiskKind kind() const { return kind_; }

  // From here on nothing reaches the medium; what was not there is lost at the
  // next remount(). Writers get EIO. Returns false if it could not be done.
  bool power_cut();
  // Unmounts and mounts again on a fresh loop device, so the file system's own
  // recovery runs. The device is fresh because memory does not survive a power
  // cut: blocks in the old device's cache, newer than the medium, made ext4 find
  // its bitmaps damaged after some hundred cuts. Every file below must be
  // closed.
  bool remount();

 private:
  LoopDisk(DiskKind kind, std::string directory) : kind_(kind), directory_(std::move(directory)) {}
  void attach(const std::string& image);
  bool connect();
  void disconnect();
  bool mount();
  bool unmount();

  DiskKind kind_;
  std::string directory_;
  int image_file_ = -1;
  std::string device_;  // "/dev/loop3"
  int device_file_ = -1;
  bool mounted_ = false;
  std::string error_;
};

// A tmpfs; `options` as for mount(8), such as "size=64k,nr_inodes=40".
class MemoryDisk {
 public:
  MemoryDisk(std::string directory, const std::string& options);
  MemoryDisk(const MemoryDisk&) = delete;
  MemoryDisk& operator=(const MemoryDisk&) = delete;
  ~MemoryDisk();

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  const std::string& path() const { return directory_; }
  bool resize(const std::string& options);

 private:
  std::string directory_;
  std::string error_;
  bool mounted_ = false;
};

// Counts a mount below `directory`, or a loop device of this process, as wrong.
void check_leftovers(const std::string& directory, Outcome& outcome);

}  // namespace holdfast::lab
