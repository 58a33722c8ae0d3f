#include "demo/processes.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace holdfast::inline v1 {
namespace {

constexpr const char* kSelf = "/proc/self/exe";

// Runs between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(char* const* words, int pipe_end, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  ::signal(SIGINT, SIG_IGN);  // Ctrl-C is for the demo, which then kills this process
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(nothing, STDERR_FILENO) >= 0 &&
      ::dup2(pipe_end, STDOUT_FILENO) >= 0)
    ::execv(kSelf, words);
  ::_exit(127);
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& arguments) {
  std::vector<std::string> owned{"holdfast"};
  owned.insert(owned.end(), arguments.begin(), arguments.end());
  std::vector<char*> words;
  for (auto& word : owned) words.push_back(word.data());
  words.push_back(nullptr);

  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(os_error(errno, "cannot create a pipe", {}));
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(words.data(), ends[1], self);
  const int failed = errno;
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return fail(os_error(failed, "cannot start a writer", {}));
  }
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return ChildProcess(child, ends[0]);
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(fd_, other.fd_);
  return *this;
}

ChildProcess::~ChildProcess() {
  kill();
  if (fd_ >= 0) ::close(fd_);
}

bool ChildProcess::read_some(std::string& into) {
  char buffer[16384];
  while (true) {
    const auto count = ::read(fd_, buffer, sizeof buffer);
    if (count > 0) into.append(buffer, static_cast<std::size_t>(count));
    if (count == static_cast<ssize_t>(sizeof buffer)) continue;
    if (count < 0 && errno == EINTR) continue;
    return count > 0 || (count < 0 && errno == EAGAIN);
  }
}

bool ChildProcess::kill() {
  if (pid_ < 0) return false;
  ::kill(pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

std::vector<bool> wait_for_any(std::span<const int> fds, std::chrono::nanoseconds time) {
  std::vector<pollfd> polled;
  for (const int fd : fds) polled.push_back({fd, POLLIN, 0});
  const auto nanoseconds = std::max<std::int64_t>(0, time.count());
  const timespec limit{static_cast<time_t>(nanoseconds / 1'000'000'000),
                       static_cast<long>(nanoseconds % 1'000'000'000)};
  const int ready = ::ppoll(polled.data(), polled.size(), &limit, nullptr);
  std::vector<bool> result(fds.size());
  for (std::size_t i = 0; ready > 0 && i < polled.size(); ++i) result[i] = polled[i].revents != 0;
  return result;
}

}  // namespace holdfast::inline v1
