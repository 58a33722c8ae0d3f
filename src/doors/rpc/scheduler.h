// A few threads that run requests, in order where order matters.
// Thread-safety: any thread. Lifetime: the destructor waits for everything.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace holdfast::inline v1 {

// Whether two requests may be about the same session. Callers may write a prefix
// of an id, and @last may be any session. Empty: about no session.
bool may_be_same(std::string_view a, std::string_view b);
bool may_share(const std::vector<std::string>& a, const std::vector<std::string>& b);

class Scheduler {
 public:
  Scheduler(std::size_t threads, std::size_t most_waiting);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // Runs `work` after all earlier work that may be about one of the same sessions.
  // Blocks while too many tasks are waiting.
  void submit(std::vector<std::string> sessions, std::function<void()> work);
  // Waits until no task is left.
  void wait_for_all();

 private:
  struct Task {
    std::vector<std::string> sessions;
    std::function<void()> work;
    bool running = false;
  };
  using Tasks = std::list<Task>;

  Tasks::iterator next() HOLDFAST_REQUIRES(mutex_);  // the first that may start, or end()
  void run(const std::stop_token& over);

  Mutex mutex_;
  std::condition_variable_any changed_;
  Tasks tasks_ HOLDFAST_GUARDED_BY(mutex_);  // oldest first, including running ones
  const std::size_t most_waiting_;
  std::vector<std::jthread> threads_;
};

}  // namespace holdfast::inline v1
