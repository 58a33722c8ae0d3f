// A disk that fails on demand: one image in memory, served by our own FUSE file
// system, under a loop device. Most containers have no device-mapper; this is
// our dm-error. Thread-safety: one thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "loop_disk.h"

namespace holdfast::lab {

enum class DiskFault {
  none,
  data,        // writes that contain kMarker fail: records and documents, not the file system's own blocks
  everything,  // every write fails
};

class FuseDisk {
 public:
  static bool built();  // whether it was built with libfuse3

  // Creates the image with a file system on it and starts the process that
  // serves it below `directory`, which is created.
  FuseDisk(DiskKind kind, std::string directory, unsigned megabytes);
  FuseDisk(const FuseDisk&) = delete;
  FuseDisk& operator=(const FuseDisk&) = delete;
  ~FuseDisk();

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  std::string image() const { return directory_ + "/disk"; }

  // Takes effect at once, in every process.
  void set(DiskFault illness);
  std::uint64_t refused() const;  // number of writes that got EIO

 private:
  struct Control;
  void serve(int image, std::uint64_t size);

  std::string directory_;
  std::string error_;
  Control* control_ = nullptr;  // shared with the serving process
  pid_t server_ = -1;
};

}  // namespace holdfast::lab
