#pragma once

#include <holdfast/file_system.h>

#include <memory>

#include "disk/real_path.h"

namespace holdfast::inline v1 {

// Ability to open a directory regardless of its owner, only for callers that trust nothing they read there (decision
// 3). Configuration must be read through open_directory. File systems that do not check owners need not implement this.
class OpensForeign {
 public:
  virtual ~OpensForeign() = default;
  virtual Result<std::unique_ptr<Directory>> open_to_read(std::string_view path) = 0;
};

// Ability to open a directory that several users write to, regardless of its owner, only for callers that verify
// everything they read there, whoever wrote it. Files created in it are readable by those who may write to the
// directory itself.
class OpensShared {
 public:
  virtual ~OpensShared() = default;
  virtual Result<std::unique_ptr<Directory>> open_shared(std::string_view path) = 0;
};

// A real file system that resolves paths in the given way; real_file_system() uses Resolve::automatic.
//
// Refuses (unsafe_path) a root that is opened for writing if it belongs to another user (root may
// open anybody's), or if it is world-writable and not sticky. Group-writable roots are accepted:
// with a umask of 002, the default of several distributions, all directories of a user are.
// OpensForeign (for readers) and OpensShared (for sharing) skip these checks.
std::unique_ptr<FileSystem> make_real_file_system(Resolve resolve);

}  // namespace holdfast::inline v1
