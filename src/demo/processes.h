// Child processes of the demo: the only code that forks, executes and kills.
#pragma once

#include <holdfast/error.h>
#include <sys/types.h>

#include <chrono>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::inline v1 {

// This program, started again with other arguments; this process reads its standard
// output through a pipe. Destroying the object kills and reaps the child, and the
// kernel kills it if this process dies.
class ChildProcess {
 public:
  static Result<ChildProcess> start(const std::vector<std::string>& arguments);
  ChildProcess(ChildProcess&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)), fd_(std::exchange(other.fd_, -1)) {}
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  int fd() const { return fd_; }

  // Appends what is in the pipe to `into`; returns false at end of file.
  bool read_some(std::string& into);

  // Sends SIGKILL. Returns false if the process had already exited.
  bool kill();

 private:
  ChildProcess(pid_t pid, int fd) : pid_(pid), fd_(fd) {}
  pid_t pid_ = -1;
  int fd_ = -1;
};

// Waits at most `time` until one of the pipes is readable or closed. Returns true for
// each one to read.
std::vector<bool> wait_for_any(std::span<const int> fds, std::chrono::nanoseconds time);

}  // namespace holdfast::inline v1
