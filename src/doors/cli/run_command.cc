#include "doors/cli/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/lock_rank.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 10;
constexpr int kLookAgainMs = 50;  // how often to check whether the context ended

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

// An unnamed file, so no thread has to feed a command that reads slowly or not at all.
Result<int> file_with(std::string_view input) {
  const int fd = ::memfd_create("transcript", MFD_CLOEXEC);
  if (fd < 0) return fail(os_error(errno, "cannot hand over the transcript", {}));
  while (!input.empty()) {
    const auto count = ::write(fd, input.data(), input.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int error = errno;
      ::close(fd);
      return fail(os_error(error, "cannot hand over the transcript", {}));
    }
    input.remove_prefix(static_cast<std::size_t>(count));
  }
  ::lseek(fd, 0, SEEK_SET);
  return fd;
}

Result<pid_t> start(const std::string& command, int input, int output) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  std::array<std::string, 3> words{"sh", "-c", command};
  std::array<char*, 4> argv{words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawn(&child, "/bin/sh", &files, &attributes, argv.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) return fail(os_error(error, "cannot start the command", "/bin/sh"));
  return child;
}

int exit_status(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

std::string without_blanks_behind(std::string text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  text.resize(last == std::string::npos ? 0 : last + 1);
  return text;
}

}  // namespace

Result<std::string> run_command(const Context& context, const std::string& command, std::string_view input,
                                std::chrono::seconds most) {
  HOLDFAST_LET(file, file_with(input));
  const Descriptor given(file);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(os_error(errno, "cannot create a pipe", {}));
  const Descriptor answer(ends[0]);
  Descriptor theirs(ends[1]);
  check_no_locks_held("a child process");
  HOLDFAST_LET(child, start(command, given.get(), theirs.get()));
  theirs.close();
  const auto until = std::chrono::steady_clock::now() + most;
  std::string text;
  Result<void> ended;
  for (;;) {
    ended = context.check();
    if (ended && std::chrono::steady_clock::now() > until)
      ended = fail(Code::deadline_exceeded, "the command took longer than " + std::to_string(most.count()) + " s");
    if (!ended) break;
    pollfd waiting{answer.get(), POLLIN, 0};
    if (::poll(&waiting, 1, kLookAgainMs) <= 0) continue;
    std::array<char, 4096> buffer{};
    const auto count = ::read(answer.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > kMaxBytes) ended = fail(Code::too_large, "the command printed more than 64 KiB");
    if (!ended) break;
  }
  if (!ended) ::kill(-child, SIGKILL);
  const int status = exit_status(child);
  if (!ended) return fail(std::move(ended).error());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return without_blanks_behind(std::move(text));
  return fail(Code::invalid_argument, WIFEXITED(status)
                                          ? "the command exited with " + std::to_string(WEXITSTATUS(status))
                                          : "the command was killed by signal " + std::to_string(WTERMSIG(status)));
}

}  // namespace holdfast::inline v1
