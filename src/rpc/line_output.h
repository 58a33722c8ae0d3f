// Whole lines to a file descriptor. Thread-safety: any thread.
#pragma once

#include <functional>
#include <mutex>
#include <string_view>

namespace holdfast::inline v1 {

class LineOutput {
 public:
  // Does not own `output`. `on_lost` is called once, when the other side is gone;
  // what is written after that goes nowhere.
  LineOutput(int output, std::function<void()> on_lost);

  void write(std::string_view line);

 private:
  std::mutex mutex_;
  int output_;
  std::function<void()> on_lost_;
  bool lost_ = false;
};

}  // namespace holdfast::inline v1
