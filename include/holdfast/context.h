// What every operation is told about its caller: may it go on, until when, and
// what time is it. A Context is a cheap value; copies share the same clock.
// Thread-safety: const use from any thread.
#pragma once

#include <holdfast/error.h>
#include <holdfast/export.h>

#include <chrono>
#include <optional>
#include <stop_token>

namespace holdfast::inline v1 {

// Time as the library sees it, so that tests own it. Must outlive every Context.
class HOLDFAST_EXPORT Clock {
 public:
  virtual ~Clock() = default;
  virtual std::chrono::system_clock::time_point now() const = 0;    // for timestamps
  virtual std::chrono::steady_clock::time_point ticks() const = 0;  // for waiting
  virtual void sleep(std::chrono::nanoseconds time) const = 0;
};

HOLDFAST_EXPORT const Clock& system_clock();

struct Context {
  std::stop_token stop;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const Clock* clock = &system_clock();

  // cancelled or deadline_exceeded, else success.
  HOLDFAST_EXPORT Result<void> check() const;
  // A copy that ends at the latest `time` from now.
  HOLDFAST_EXPORT Context within(std::chrono::nanoseconds time) const;
};

}  // namespace holdfast::inline v1
