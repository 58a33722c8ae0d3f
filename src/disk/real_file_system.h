#pragma once

#include <holdfast/file_system.h>

#include <memory>

#include "disk/real_path.h"

namespace holdfast::inline v1 {

// The power to open a directory whoever owns it: only for those who read what is in it and believe nothing of it
// (decision 3). Configuration is read by open_directory. A file system that checks no owners needs none.
class ReadsForeign {
 public:
  virtual ~ReadsForeign() = default;
  virtual Result<std::unique_ptr<Directory>> open_to_read(std::string_view path) = 0;
};

// The power to open a directory that several people write to, whoever owns it: only for those who check everything that
// they read there, whoever wrote it. What is made in it can be read by those who may write in the directory itself.
class OpensShared {
 public:
  virtual ~OpensShared() = default;
  virtual Result<std::unique_ptr<Directory>> open_shared(std::string_view path) = 0;
};

// A real file system that resolves paths in the given way; real_file_system() is the automatic one.
//
// A root that is written to is refused (unsafe_path) when it belongs to another user (root may open
// anybody's), or when everybody may write in it and it is not sticky. Being
// writable for a group is accepted: with a umask of 002, the default of several
// distributions, every user's own directories are.
// Who only reads passes these by (ReadsForeign), and so does who shares (OpensShared).
std::unique_ptr<FileSystem> make_real_file_system(Resolve resolve);

}  // namespace holdfast::inline v1
