// Maintains the index files that a layout prescribes (decision 13): a touched
// group is written within 250 ms, and at the latest when the store closes.
// Appends never wait for it, and listing through Holdfast never depends on it.
// An index that takes over 50 ms to make is written less often than that.
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

// The time source of the keeper's thread, which tests replace.
class KeeperTime {
 public:
  virtual ~KeeperTime() = default;
  virtual std::chrono::steady_clock::time_point ticks() = 0;
  // Returns after `time`, or earlier when asked to stop.
  virtual void rest(const std::stop_token& stop, std::chrono::steady_clock::duration time) = 0;
};
KeeperTime& real_keeper_time();

class IndexKeeper {
 public:
  // `write` is called on the keeper's own thread, or by flush(). If it fails,
  // the index stays as it was and the next touch tries again.
  explicit IndexKeeper(std::function<void(const std::string& group)> write, KeeperTime& time = real_keeper_time());
  ~IndexKeeper();  // writes due groups
  IndexKeeper(const IndexKeeper&) = delete;
  IndexKeeper& operator=(const IndexKeeper&) = delete;

  void touch(const std::string& group);
  // On return, everything touched so far is written.
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
