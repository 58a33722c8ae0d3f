// Eight processes with a log each, compared with eight processes with a raw file each.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "bench/jobs.h"

namespace holdfast::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kProcesses = 8;
constexpr double kWindow = 0.6;  // seconds per measurement

std::function<void(std::uint64_t)> writer(const std::string& directory, const std::string& name, bool ours) {
  if (!ours) return raw_writer(directory + "/" + name, true);
  std::shared_ptr<AppendLog> log = need(AppendLog::open({}, open_root(directory), name));
  return [log](std::uint64_t number) { need(log->append({}, message_of(number))); };
}

// In a child: reports ready, waits for the start, writes, reports the count.
[[noreturn]] void child(const std::string& directory, const std::string& name, bool ours, int ready, int go, int done) {
  const auto once = writer(directory, name, ours);
  char byte = 'r';
  if (::write(ready, &byte, 1) != 1 || ::read(go, &byte, 1) != 0) ::_exit(1);  // the start signal is EOF
  std::uint64_t count = 0;
  for (const auto end = Clock::now() + std::chrono::duration<double>(kWindow); Clock::now() < end;) once(++count);
  ::_exit(::write(done, &count, sizeof count) == sizeof count ? 0 : 1);
}

// Messages per second of all processes together.
double one_window(const std::string& directory, int window, bool ours) {
  int ready[2];
  int go[2];
  int done[2];
  if (::pipe(ready) != 0 || ::pipe(go) != 0 || ::pipe(done) != 0) stop("no pipe");
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t pid = ::fork();
    if (pid < 0) stop("cannot fork");
    if (pid == 0) {
      ::close(go[1]);
      child(directory, fmt::format("{}-{}-{}", ours ? "log" : "raw", window, process), ours, ready[1], go[0], done[1]);
    }
    children.push_back(pid);
  }
  char byte = 0;
  for (int process = 0; process < kProcesses; ++process)
    if (::read(ready[0], &byte, 1) != 1) stop("a writer failed");
  ::close(go[1]);
  std::uint64_t total = 0;
  for (int process = 0; process < kProcesses; ++process) {
    std::uint64_t count = 0;
    if (::read(done[0], &count, sizeof count) != sizeof count) stop("a writer failed");
    total += count;
  }
  for (const pid_t pid : children) ::waitpid(pid, nullptr, 0);
  for (const int fd : {ready[0], ready[1], go[0], done[0], done[1]}) ::close(fd);
  return static_cast<double>(total) / kWindow;
}

}  // namespace

Group processes_job(const std::string& place, const std::string& directory, const Size& size) {
  const std::string below = directory + "/processes";
  open_root(below);
  std::vector<double> raw;
  std::vector<double> ours;
  const int windows = std::max(3, static_cast<int>(size.seconds / kWindow / 2));
  for (int window = 0; window < windows; ++window) {
    raw.push_back(one_window(below, window, false));
    ours.push_back(one_window(below, window, true));
  }
  Group group{fmt::format("8 processes, 8 files, power, {} ({} windows of {} s)", place, windows, kWindow), {}};
  group.rows.push_back({"raw write + fdatasync", percentile(raw, 0.5), NAN, "/s", NAN, {}, {}, {}});
  group.rows.push_back({"AppendLog, power", percentile(ours, 0.5), NAN, "/s", NAN, {}, {}, {}});
  at_least(group.rows[1], group.rows[0], 0.9);
  return group;
}

}  // namespace holdfast::bench
