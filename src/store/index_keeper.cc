#include "store/index_keeper.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <new>
#include <utility>

#include "base/start_thread.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::chrono::milliseconds kDelay{200};  // leaves the rest of the 250 ms for writing
constexpr int kRest = 4;                          // an index that takes long to make is made less often

class RealKeeperTime final : public KeeperTime {
 public:
  std::chrono::steady_clock::time_point ticks() override { return std::chrono::steady_clock::now(); }
  void rest(const std::stop_token& stop, std::chrono::steady_clock::duration time) override {
    std::mutex nobodys;
    std::condition_variable_any never;
    std::unique_lock guard(nobodys);
    never.wait_for(guard, stop, time, [] { return false; });
  }
};

}  // namespace

KeeperTime& real_keeper_time() {
  static RealKeeperTime time;
  return time;
}

IndexKeeper::IndexKeeper(std::function<void(const std::string&)> write, KeeperTime& time)
    : write_(std::move(write)), time_(time) {}

IndexKeeper::~IndexKeeper() {
  {
    const ScopedLock guard(due_mutex_);
    thread_.request_stop();
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  write_due();
}

void IndexKeeper::touch(const std::string& group) {
  const ScopedLock guard(due_mutex_);
  const bool first = due_.empty();
  const bool known = !due_.insert(group).second;
  // Without a thread, groups are written at the end, or once a thread can be started.
  if (!thread_.joinable()) thread_ = start_thread([this](const std::stop_token& stop) { run(stop); });
  if (known) return;
  if (first) wake_.notify_all();  // otherwise the thread is awake, or will check anyway
}

void IndexKeeper::flush() { write_due(); }

void IndexKeeper::write_due() {
  const ScopedLock writing(write_mutex_);
  std::set<std::string> groups;
  {
    const ScopedLock guard(due_mutex_);
    groups.swap(due_);
  }
  for (const std::string& group : groups) {
    try {
      write_(group);
    } catch (const std::bad_alloc&) {  // the index is derived, and stays as it was
    }
  }
}

void IndexKeeper::run(const std::stop_token& stop) {
  std::chrono::steady_clock::duration pause = kDelay;
  while (!stop.stop_requested()) {
    {
      UniqueLock guard(due_mutex_);
      const auto due = [&]() HOLDFAST_REQUIRES(due_mutex_) { return !due_.empty(); };
      if (!wake_.wait(guard, stop, due)) return;
    }
    time_.rest(stop, pause);
    if (stop.stop_requested()) return;  // the destructor writes
    const auto begin = time_.ticks();
    write_due();
    pause = std::max<std::chrono::steady_clock::duration>(kDelay, kRest * (time_.ticks() - begin));
  }
}

}  // namespace holdfast::inline v1
