// A real disk that is soon full; mounting one needs root.
#pragma once

#include <sys/mount.h>
#include <sys/stat.h>

#include <string>

namespace holdfast::inline v1 {

class SmallDisk {
 public:
  explicit SmallDisk(std::string path) : path_(std::move(path)) {
    ::mkdir(path_.c_str(), 0700);
    mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", 0, "size=512k,mode=0700") == 0;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }

 private:
  std::string path_;
  bool mounted_ = false;
};

}  // namespace holdfast::inline v1
