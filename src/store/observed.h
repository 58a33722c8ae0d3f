// Measures and records one step of the engine. Without an Observer the step just runs.
#pragma once

#include <chrono>
#include <string_view>

#include "store/observe.h"

namespace holdfast::inline v1 {

// True if storage failed, rather than the caller's request.
bool is_storage_failure(Code code);

// What the step did.
struct StepNote {
  std::string_view what;          // "append", "update", "read", ...
  std::string_view session = {};  // empty if none, or unknown
  std::string_view span = {};     // recorded as a span of this name if there is a session
};

class StepWatch {
 public:
  StepWatch(const Context& context, Observer& observer) : context_(context), observer_(observer) {}
  void wrote(const StepNote& step, const Error* error) const;
  void read(const StepNote& step, const Error* error) const;

 private:
  double milliseconds() const;
  void span(const StepNote& step, const Error* error) const;
  void note_failure(std::string_view name, const StepNote& step, double ms, const Error& error) const;

  const Context& context_;
  Observer& observer_;
  const std::chrono::system_clock::time_point begin_ = context_.clock->now();
  const std::chrono::steady_clock::time_point ticks_ = context_.clock->ticks();
};

// A span without a write of its own. Does nothing without an Observer.
class SpanWatch {
 public:
  SpanWatch(const Context& context, Observer* observer) : context_(context), observer_(observer) {
    if (observer_ != nullptr) begin_ = context_.clock->now();
  }
  void end(std::string_view name, std::string_view session, const Error* error) const;

 private:
  const Context& context_;
  Observer* observer_;
  std::chrono::system_clock::time_point begin_ = {};
};

// True for complete, failed and stopped.
bool is_final_status(Status status);

class WriteDepth {
 public:
  WriteDepth() { ++depth_; }
  ~WriteDepth() { --depth_; }
  WriteDepth(const WriteDepth&) = delete;
  WriteDepth& operator=(const WriteDepth&) = delete;
  bool inner() const { return depth_ > 1; }

 private:
  static thread_local int depth_;
};

// Logs one line for each file that could not be read, for answers that go on without it.
void note_unread(const Context& context, Observer* observer, const StepNote& step,
                 const std::vector<Finding>& findings);

// `work` returns a Result. `step` is called afterwards, when an id may have become known. A write
// inside another one of the same thread is part of that one, and counted with it.
template <typename Work, typename Step>
auto observed_write(const Context& context, Observer* observer, const Work& work, const Step& step) {
  const WriteDepth depth;
  if (observer == nullptr || depth.inner()) return work();
  const StepWatch watch(context, *observer);
  auto done = work();
  watch.wrote(step(), done ? nullptr : &done.error());
  return done;
}

template <typename Work>
auto observed_read(const Context& context, Observer* observer, const StepNote& step, const Work& work) {
  if (observer == nullptr) return work();
  const StepWatch watch(context, *observer);
  auto done = work();
  watch.read(step, done ? nullptr : &done.error());
  return done;
}

}  // namespace holdfast::inline v1
