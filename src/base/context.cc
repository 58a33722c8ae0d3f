#include <holdfast/context.h>

#include <thread>

namespace holdfast::inline v1 {
namespace {

class SystemClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override { return std::chrono::system_clock::now(); }
  std::chrono::steady_clock::time_point ticks() const override { return std::chrono::steady_clock::now(); }
  void sleep(std::chrono::nanoseconds time) const override { std::this_thread::sleep_for(time); }
};

}  // namespace

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

Result<void> Context::check() const {
  if (stop.stop_requested()) return fail(Code::cancelled, "interrupted");
  if (deadline && clock->ticks() >= *deadline) return fail(Code::deadline_exceeded, "the deadline has passed");
  return {};
}

Context Context::within(std::chrono::nanoseconds time) const {
  Context copy = *this;
  const auto end = clock->ticks() + time;
  if (!copy.deadline || *copy.deadline > end) copy.deadline = end;
  return copy;
}

}  // namespace holdfast::inline v1
