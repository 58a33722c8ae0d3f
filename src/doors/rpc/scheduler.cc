#include "doors/rpc/scheduler.h"

#include <algorithm>

#include "base/start_thread.h"

namespace holdfast::inline v1 {

bool may_be_same(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return false;
  // LAYOUT/ID and ID may be the same session; an id contains no slash.
  a.remove_prefix(a.rfind('/') + 1);
  b.remove_prefix(b.rfind('/') + 1);
  return a == "@last" || b == "@last" || a.starts_with(b) || b.starts_with(a);
}

bool may_share(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& one) {
    return std::ranges::any_of(b, [&](const std::string& other) { return may_be_same(one, other); });
  });
}

Scheduler::Scheduler(std::size_t threads, std::size_t most_waiting) : most_waiting_(most_waiting) {
  threads_.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) {
    std::jthread started = start_thread([this](const std::stop_token& over) { run(over); });
    if (!started.joinable()) break;
    threads_.push_back(std::move(started));
  }
}

Scheduler::~Scheduler() { wait_for_all(); }

void Scheduler::submit(std::vector<std::string> sessions, std::function<void()> work) {
  if (threads_.empty()) return work();
  UniqueLock lock(mutex_);
  while (tasks_.size() >= most_waiting_) changed_.wait(lock);
  tasks_.push_back({std::move(sessions), std::move(work)});
  changed_.notify_all();
}

void Scheduler::wait_for_all() {
  UniqueLock lock(mutex_);
  while (!tasks_.empty()) changed_.wait(lock);
}

Scheduler::Tasks::iterator Scheduler::next() {
  for (auto task = tasks_.begin(); task != tasks_.end(); ++task) {
    if (task->running) continue;
    const bool waits = std::any_of(tasks_.begin(), task,
                                   [&](const Task& earlier) { return may_share(earlier.sessions, task->sessions); });
    if (!waits) return task;
  }
  return tasks_.end();
}

void Scheduler::run(const std::stop_token& over) {
  UniqueLock lock(mutex_);
  for (;;) {
    auto task = tasks_.end();
    const auto found = [&]() HOLDFAST_REQUIRES(mutex_) { return (task = next()) != tasks_.end(); };
    changed_.wait(lock, over, found);
    if (task == tasks_.end()) return;
    task->running = true;
    lock.unlock();
    task->work();
    task->work = nullptr;  // the last request of a batch ends by writing to a pipe: not under the lock
    lock.lock();
    tasks_.erase(task);
    changed_.notify_all();
  }
}

}  // namespace holdfast::inline v1
