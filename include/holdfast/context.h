// What a caller passes to every operation: a stop token, a deadline and a
// clock. A Context is a cheap value; copies share the same clock.
// Thread-safety: any thread may use a const Context.
#pragma once

#include <holdfast/error.h>
#include <holdfast/export.h>

#include <chrono>
#include <optional>
#include <stop_token>

namespace holdfast::inline v1 {

// The source of time; tests replace it. Must outlive every Context that uses it.
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

  // Fails with cancelled if a stop was requested, with deadline_exceeded if the deadline has passed.
  HOLDFAST_EXPORT Result<void> check() const;
  // Returns a copy whose deadline is at most `time` from now.
  HOLDFAST_EXPORT Context within(std::chrono::nanoseconds time) const;
};

}  // namespace holdfast::inline v1
