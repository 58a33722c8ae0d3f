// The answers to a JSON-RPC batch: one array, written when the last answer is there. Thread-safety: add()
// from any thread. Lifetime: shared by everything that still works on one of the requests.
#pragma once

#include <string>
#include <vector>

#include "base/mutex.h"
#include "doors/rpc/line_output.h"

namespace holdfast::inline v1 {

class Batch {
 public:
  explicit Batch(LineOutput& output) : output_(output) {}
  ~Batch() {
    if (answers_.empty()) return;
    std::string all = "[";
    for (const std::string& answer : answers_) all += (all.size() > 1 ? "," : "") + answer;
    output_.write(all + "]");
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  void add(std::string answer) {
    const ScopedLock lock(mutex_);
    answers_.push_back(std::move(answer));
  }

 private:
  LineOutput& output_;
  Mutex mutex_;
  std::vector<std::string> answers_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::inline v1
