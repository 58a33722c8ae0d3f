// Paths and descriptors of the real file system: turns a relative path into a
// descriptor without ever leaving its root. Thread-safety: values and pure functions.
#pragma once

#include <holdfast/error.h>
#include <holdfast/file_system.h>

#include <cstring>
#include <string_view>
#include <utility>

#include "base/safe_name.h"
#include "disk/file_error.h"

struct stat;
struct statx;

namespace holdfast::inline v1 {

// Owns an open descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

// A checked relative path, NUL-terminated and on the stack: no allocation.
class CPath {
 public:
  explicit CPath(std::string_view path) {
    const std::size_t length = path.size() < sizeof text_ ? path.size() : sizeof text_ - 1;
    std::memcpy(text_, path.data(), length);
    text_[length] = '\0';
  }
  const char* get() const { return text_; }
  char* get() { return text_; }

 private:
  char text_[kMaxRelativePath + 1];
};

// How paths are confined to their root.
enum class Resolve {
  automatic,  // openat2 if the kernel (and its seccomp filter) supports it
  openat2,    // by the kernel: no symbolic links, no mount points, no escape
  walk,       // name by name with O_NOFOLLOW; mount points are detected
};

Resolve usable_resolve(Resolve wanted);

// Opens the checked relative `path` strictly below `root`. Fails with ELOOP or ENOTDIR
// for a symbolic link anywhere in the path, with EXDEV for a mount point. Adds
// O_CLOEXEC and O_NOFOLLOW. Returns an empty Descriptor and sets errno on failure.
Descriptor open_beneath(int root, const CPath& path, int flags, unsigned mode, Resolve resolve);

// The directory that contains the last name of a path, for calls that change
// names. name() points into this object, so it cannot be copied or moved.
class ParentDirectory {
 public:
  ParentDirectory(int root, std::string_view path, Resolve resolve);
  ParentDirectory(const ParentDirectory&) = delete;
  ParentDirectory& operator=(const ParentDirectory&) = delete;

  explicit operator bool() const { return directory_ >= 0; }  // if false, errno is set
  int directory() const { return directory_; }
  const char* name() const { return name_; }

 private:
  CPath path_;
  const char* name_ = nullptr;
  Descriptor opened_;
  int directory_ = -1;
};

FileStat to_file_stat(const struct stat& from);
FileStat to_file_stat(const struct statx& from);  // without the times

}  // namespace holdfast::inline v1
