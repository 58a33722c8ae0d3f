#include "doors/cli/lease_holder.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "api/default_stores.h"
#include "api/error_json.h"
#include "api/stores.h"
#include "base/held_for.h"
#include "base/lock_rank.h"
#include "doors/cli/process_environment.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kSelf = "/proc/self/exe";
constexpr int kLookAgainMs = 500;  // how often to check whether another process took the lease

// Field 22 of /proc/PID/stat, counted from the last ')'. A process number is
// reused, but not with the same start time. Empty if there is no such process.
std::string start_time(std::int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string line{std::istreambuf_iterator<char>(file), {}};
  const auto close = line.rfind(')');
  if (close == std::string::npos) return {};
  std::istringstream fields(line.substr(close + 1));
  std::string field;
  for (int number = 3; number <= 22 && fields >> field; ++number) continue;
  return fields ? field : std::string();
}

// Between fork and exec only async-signal-safe calls are allowed. Closes everything of
// the caller's: a shell that waits for the end of our output must not wait for PID.
[[noreturn]] void become_holder(char* const* words, int answer) {
  ::setsid();
  ::signal(SIGINT, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDWR);
  if (nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(nothing, STDERR_FILENO) >= 0 &&
      ::dup2(answer, STDOUT_FILENO) >= 0) {
    ::close_range(3, ~0U, 0);
    ::execv(kSelf, words);
  }
  ::_exit(127);
}

std::string read_all(int fd) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    const auto count = ::read(fd, buffer.data(), buffer.size());
    if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) return text;
  }
}

Result<void> start_holder(std::int64_t pid, const CallOwner::Thing& thing) {
  std::vector<std::string> owned{"holdfast",  "lease-holder", "--store",
                                 thing.store, "--owner-pid",  std::to_string(pid)};
  if (thing.run.empty())
    owned.insert(owned.end(), {"--session", thing.session});
  else
    owned.insert(owned.end(), {"--run", thing.run});
  if (!thing.project.empty()) owned.insert(owned.end(), {"--project", thing.project});
  std::vector<char*> words;
  for (auto& word : owned) words.push_back(word.data());
  words.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(os_error(errno, "cannot create a pipe", {}));
  check_no_locks_held("a child process");
  const pid_t child = ::fork();
  if (child == 0) become_holder(words.data(), ends[1]);
  const int failed = errno;
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return fail(os_error(failed, "cannot start the holder of the lease", {}));
  }
  const std::string answer = read_all(ends[0]);
  ::close(ends[0]);
  if (answer == "held\n") return {};
  ::waitpid(child, nullptr, 0);
  const JsonView error = JsonView(answer).find("error");
  const Code code = error.find("code").is_string(code_name(Code::busy)) ? Code::busy : Code::storage_unavailable;
  return fail(code, error.find("message").as_string().value_or("the holder of the lease died"),
              error.find("path").as_string().value_or(thing.run.empty() ? thing.session : thing.run));
}

void say(const std::string& text) {
  [[maybe_unused]] const auto written = ::write(STDOUT_FILENO, text.data(), text.size());
}

}  // namespace

Result<CallOwner> call_owner(std::int64_t pid) {
  const std::string start = start_time(pid);
  if (start.empty())
    return fail(Code::invalid_argument, "--owner-pid " + std::to_string(pid) + ": there is no such process");
  return CallOwner{held_for(pid, start), [pid](const CallOwner::Thing& thing) { return start_holder(pid, thing); }};
}

Result<int> run_lease_holder(const HoldLease& request) {
  // Open the descriptor before reading the start time, so both belong to the same process.
  const int owner = static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(request.owner_pid),
                                               0));  // glibc 2.36's header does not link from C++
  const std::string start = start_time(request.owner_pid);
  if (owner < 0 || start.empty()) return fail(Code::invalid_argument, "the owner of the lease is gone");
  HOLDFAST_LET(settings, default_stores(process_environment()));
  Stores stores(std::move(settings));
  auto lease = stores.lease({}, request.thing, held_for(request.owner_pid, start));
  if (!lease) {
    say(error_json(lease.error()) + "\n");
    return 0;
  }
  say("held\n");
  ::close(STDOUT_FILENO);
  pollfd waiting{owner, POLLIN, 0};
  while (::poll(&waiting, 1, kLookAgainMs) <= 0) {
    const auto ours = lease->still_ours();
    if (ours && !*ours) return 0;
  }
  return 0;  // the lease file stays: its owner died without ending the session
}

}  // namespace holdfast::inline v1
