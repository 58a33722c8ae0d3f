// Child processes of the demo: the only place that forks, executes and kills.
#pragma once

#include <holdfast/error.h>
#include <sys/types.h>

#include <chrono>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::inline v1 {

// This program, started again with other arguments; its standard output is a pipe
// that is read here. Destroying the object kills and reaps the process, and the
// kernel kills it when this process dies.
class ChildProcess {
 public:
  static Result<ChildProcess> start(const std::vector<std::string>& arguments);
  ChildProcess(ChildProcess&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)), fd_(std::exchange(other.fd_, -1)) {}
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  int fd() const { return fd_; }

  // What the pipe holds now is added to `into`; false at its end.
  bool read_some(std::string& into);

  // SIGKILL. False when the process had ended by itself.
  bool kill();

 private:
  ChildProcess(pid_t pid, int fd) : pid_(pid), fd_(fd) {}
  pid_t pid_ = -1;
  int fd_ = -1;
};

// Waits until one of the processes says something or ended, at most `time`.
// True for each that should be read.
std::vector<bool> wait_for_any(std::span<const int> fds, std::chrono::nanoseconds time);

}  // namespace holdfast::inline v1
