// A disk that falls ill on demand: one image in memory, offered by a FUSE file
// system of our own, for a loop device to stand on. There is no device-mapper
// in most containers; this is our dm-error.
// Thread-safety: one thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "loop_disk.h"

namespace holdfast::lab {

enum class Illness {
  none,
  data,        // writes that contain kMarker fail: records and documents, not the file system's own blocks
  everything,  // every write fails
};

class FuseDisk {
 public:
  static bool built();  // with libfuse3?

  // Makes the image with a file system on it and starts the process that serves
  // it below `directory`, which is made.
  FuseDisk(DiskKind kind, std::string directory, unsigned megabytes);
  FuseDisk(const FuseDisk&) = delete;
  FuseDisk& operator=(const FuseDisk&) = delete;
  ~FuseDisk();

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  std::string image() const { return directory_ + "/disk"; }

  // From now on, in every process.
  void set(Illness illness);
  std::uint64_t refused() const;  // writes that were answered with EIO

 private:
  struct Control;
  void serve(int image, std::uint64_t size);

  std::string directory_;
  std::string error_;
  Control* control_ = nullptr;  // shared with the process that serves
  pid_t server_ = -1;
};

}  // namespace holdfast::lab
