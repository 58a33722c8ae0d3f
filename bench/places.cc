#include "bench/places.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "bench/table.h"

namespace holdfast::bench {
namespace {

constexpr const char* kMemory = "/dev/shm";

bool shell(const std::string& command) { return std::system(command.c_str()) == 0; }

// Ignores what does not exist: the image may never have been mounted.
[[noreturn]] void clean_when_over(int pipe_end, const std::string& disk, const std::string& image,
                                  const std::string& mount) {
  ::setsid();  // Ctrl-C is not for this one
  char byte = 0;
  while (::read(pipe_end, &byte, 1) > 0) {
  }
  (void)shell(fmt::format(
      "umount '{0}' 2>/dev/null || umount -l '{0}' 2>/dev/null; rmdir '{0}' 2>/dev/null; rm -f '{1}'", mount, image));
  std::error_code wrong;
  std::filesystem::remove_all(disk, wrong);
  ::_exit(0);
}

}  // namespace

Places::Places(const std::string& base) {
  disk_ = std::filesystem::absolute(base).string() + "/holdfast-bench-XXXXXX";
  if (::mkdtemp(disk_.data()) == nullptr) stop("cannot make a directory below " + base);
  const std::string name = std::filesystem::path(disk_).filename().string();
  image_ = fmt::format("{}/{}.ext4", kMemory, name);
  mount_ = fmt::format("{}/{}.mount", kMemory, name);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) stop("no pipe");
  cleaner_ = ::fork();
  if (cleaner_ < 0) stop("cannot fork");
  if (cleaner_ == 0) {
    ::close(ends[1]);
    clean_when_over(ends[0], disk_, image_, mount_);
  }
  ::close(ends[0]);
  alive_ = ends[1];
}

Places::~Places() {
  ::close(alive_);
  ::waitpid(cleaner_, nullptr, 0);
}

std::optional<std::string> Places::loop() {
  if (::geteuid() != 0 || !std::filesystem::is_directory(kMemory)) return std::nullopt;
  const bool mounted = shell(fmt::format("truncate -s 2G '{0}' && mkfs.ext4 -q -F '{0}' && mkdir '{1}' && "
                                         "mount -o loop '{0}' '{1}'",
                                         image_, mount_) +
                             " 2>/dev/null");
  if (!mounted) return std::nullopt;
  return mount_;
}

}  // namespace holdfast::bench
