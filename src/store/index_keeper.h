// Keeps the index files that a layout prescribes (decision 13): a group that was
// touched is written within 250 ms, and at the latest when the store closes. No
// append waits for it. Whoever lists through Holdfast never depends on it. An
// index that takes over 50 ms to make is made less often than that.
// Thread-safety: any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <set>
#include <string>
#include <thread>

#include "base/mutex.h"

namespace holdfast::inline v1 {

// Time as the keeper's thread sees it, so that tests own it.
class KeeperTime {
 public:
  virtual ~KeeperTime() = default;
  virtual std::chrono::steady_clock::time_point ticks() = 0;
  // Returns after so long, or earlier when it is to stop.
  virtual void rest(const std::stop_token& stop, std::chrono::steady_clock::duration time) = 0;
};
KeeperTime& real_keeper_time();

class IndexKeeper {
 public:
  // `write` is called on the keeper's own thread, or by flush(); its failures
  // are the index's: it stays as it was, and the next touch tries again.
  explicit IndexKeeper(std::function<void(const std::string& group)> write, KeeperTime& time = real_keeper_time());
  ~IndexKeeper();  // writes what is due
  IndexKeeper(const IndexKeeper&) = delete;
  IndexKeeper& operator=(const IndexKeeper&) = delete;

  void touch(const std::string& group);
  // Everything touched so far is written when this returns.
  void flush();

 private:
  void run(const std::stop_token& stop);
  void write_due();

  std::function<void(const std::string&)> write_;
  KeeperTime& time_;
  Mutex due_mutex_;
  std::condition_variable_any wake_;
  std::set<std::string> due_ HOLDFAST_GUARDED_BY(due_mutex_);
  Mutex write_mutex_{LockRank::index_write};
  std::jthread thread_;  // started by the first touch
};

}  // namespace holdfast::inline v1
