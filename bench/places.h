// Directories for the benchmarks. A cleaner process removes everything when this program ends, however it ends.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace holdfast::bench {

class Places {
 public:
  // Creates a directory below `base`.
  explicit Places(const std::string& base);
  ~Places();
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  const std::string& disk() const { return disk_; }
  // A mounted ext4 image in memory; nullopt without root, loop devices or /dev/shm.
  std::optional<std::string> loop();

 private:
  std::string disk_;
  std::string image_;
  std::string mount_;
  int alive_ = -1;  // the cleaner waits for the other end of this pipe
  pid_t cleaner_ = -1;
};

}  // namespace holdfast::bench
