#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "power_cut.h"

namespace holdfast::lab {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kFirstWord = 30'000 * kMillisecond;

// Reads until `deadline`; false at the end of the report.
bool listen(int report, std::int64_t deadline, std::string& said, bool first_word_only) {
  char buffer[1 << 16];
  while (true) {
    const std::int64_t left = deadline - steady_ns();
    if (left <= 0) return true;
    const timespec wait{left / 1'000'000'000, left % 1'000'000'000};
    pollfd ready{report, POLLIN, 0};
    if (::ppoll(&ready, 1, &wait, nullptr) <= 0) continue;
    const ssize_t count = ::read(report, buffer, sizeof buffer);
    if (count == 0) return false;
    if (count > 0) said.append(buffer, static_cast<std::size_t>(count));
    if (count > 0 && first_word_only) return true;
  }
}

}  // namespace

std::int64_t steady_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

CutProof::CutProof(const std::string& mount, unsigned thread)
    : file_(::open((mount + "/proof" + std::to_string(thread)).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) {}
CutProof::~CutProof() { ::close(file_); }
bool CutProof::power_is_on() const { return ::pwrite(file_, "1", 1, 0) == 1; }

CutResult cut_cycles(const CutPlan& plan,
                     const std::function<CutWriter(const std::string&, int, unsigned)>& start_writer,
                     const std::function<void(const Cut&)>& check) {
  CutResult result;
  const unsigned megabytes = plan.megabytes != 0 ? plan.megabytes : plan.kind == DiskKind::ext4 ? 64 : 320;
  LoopDisk disk(plan.kind, plan.scratch + "/" + disk_kind_name(plan.kind), megabytes);
  if (!disk.ok()) {
    result.error = disk.error();
    return result;
  }
  for (unsigned cycle = 0; cycle < plan.cycles; ++cycle) {
    int report[2];
    if (::pipe2(report, O_CLOEXEC) != 0) {
      result.error = "no pipe";
      return result;
    }
    ::fcntl(report[1], F_SETPIPE_SZ, 1 << 20);
    Cut cut;
    cut.cycle = cycle;
    cut.mount = disk.path();
    const std::int64_t start = steady_ns();
    const CutWriter writer = start_writer(disk.path(), report[1], cycle);
    ::close(report[1]);
    bool alive = writer.pid > 0;
    if (alive && writer.after_first_word) alive = listen(report[0], start + kFirstWord, cut.said, true);
    const std::int64_t delay = std::chrono::nanoseconds(writer.delay).count();
    if (alive) listen(report[0], (writer.after_first_word ? steady_ns() : start) + delay, cut.said, false);
    cut.begin_ns = steady_ns();
    const bool done = disk.power_cut();
    cut.end_ns = steady_ns();
    if (writer.pid > 0) {
      ::kill(writer.pid, SIGKILL);
      ::waitpid(writer.pid, nullptr, 0);
    }
    listen(report[0], steady_ns() + kFirstWord, cut.said, false);  // reads to its end
    ::close(report[0]);
    if (!done || !disk.remount()) {
      result.error = done ? disk.error() : "the shutdown ioctl failed";
      return result;
    }
    ++result.cuts;
    check(cut);
  }
  return result;
}

}  // namespace holdfast::lab
