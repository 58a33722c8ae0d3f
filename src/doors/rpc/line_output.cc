#include "doors/rpc/line_output.h"

#include <limits.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "base/start_thread.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxWaiting = std::size_t{4} << 20;
constexpr int kPatienceMs = 5000;

}  // namespace

LineOutput::LineOutput(int output, std::function<void()> on_lost)
    : output_(output), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), on_lost_(std::move(on_lost)) {
  thread_ = start_thread([this] { run(); });
}

LineOutput::~LineOutput() {
  {
    const ScopedLock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  hurry();
  if (thread_.joinable()) thread_.join();
  ::close(wake_);
}

void LineOutput::hurry() noexcept {
  hurried_ = true;
  const std::uint64_t one = 1;
  (void)!::write(wake_, &one, sizeof one);
}

bool LineOutput::is_full() const { return queue_.size() + writing_ >= kMaxWaiting; }

void LineOutput::add(std::string_view line) {
  queue_.append(line).push_back('\n');
  changed_.notify_all();
}

void LineOutput::write(std::string_view line) {
  check_no_locks_held("a pipe");
  UniqueLock lock(mutex_);
  if (!thread_.joinable()) {
    if (!lost_ && !put(std::string(line) + "\n")) {
      lost_ = true;
      lock.unlock();
      on_lost_();
    }
    return;
  }
  while (!lost_ && is_full()) changed_.wait(lock);
  if (!lost_) add(line);
}

bool LineOutput::offer(std::string_view line) {
  if (!thread_.joinable()) {
    write(line);
    return true;
  }
  const ScopedLock lock(mutex_);
  if (lost_) return true;
  if (is_full()) return false;
  add(line);
  return true;
}

Result<void> LineOutput::finish() {
  UniqueLock lock(mutex_);
  while (!lost_ && thread_.joinable() && queue_.size() + writing_ > 0) changed_.wait(lock);
  if (why_ == 0 || why_ == EPIPE) return {};
  return fail(os_error(why_, "cannot write to standard output", ""));
}

// Writes only what the pipe accepts once it is ready, so no write blocks.
bool LineOutput::put(std::string_view rest) {
  while (!rest.empty()) {
    std::array<pollfd, 2> waits{{{output_, POLLOUT, 0}, {wake_, POLLIN, 0}}};
    const bool hurried = hurried_;
    const int ready = ::poll(waits.data(), hurried ? 1 : 2, hurried ? kPatienceMs : -1);
    if (ready == 0) return false;
    if (ready < 0 && errno != EINTR) {
      why_ = errno;
      return false;
    }
    if (ready < 0 || waits[0].revents == 0) continue;
    const auto count = ::write(output_, rest.data(), std::min<std::size_t>(rest.size(), PIPE_BUF));
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR && errno != EAGAIN) {
      why_ = errno;
      return false;
    }
  }
  return true;
}

void LineOutput::run() {
  UniqueLock lock(mutex_);
  for (;;) {
    while (!ending_ && queue_.empty()) changed_.wait(lock);
    if (queue_.empty()) return;
    const std::string batch = std::exchange(queue_, {});
    writing_ = batch.size();
    lock.unlock();
    const bool written = put(batch);
    if (!written) on_lost_();  // before finish() can see it
    lock.lock();
    writing_ = 0;
    if (!written) {
      lost_ = true;
      queue_.clear();
    }
    changed_.notify_all();
    if (!written) return;
  }
}

}  // namespace holdfast::inline v1
