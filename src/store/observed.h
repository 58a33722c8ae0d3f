// Puts a watch on one step of the engine. Without an Observer the step just runs.
#pragma once

#include <chrono>
#include <string_view>

#include "store/observe.h"

namespace holdfast::inline v1 {

// Whether it was storage that failed, and not what the caller asked for.
bool is_storage_failure(Code code);

// What the step was, and how it ended.
struct StepNote {
  std::string_view what;          // "append", "update", "read", ...
  std::string_view session = {};  // empty: of no session, or not known
  std::string_view span = {};     // recorded as a span of that name when there is a session
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

// A span without a write of its own. Without an Observer it does nothing.
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

// Complete, failed, stopped.
bool ends_life(Status status);

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

// Files that could not be read, in an answer that goes on without them: a line of the log for each.
void note_unread(const Context& context, Observer* observer, const StepNote& step,
                 const std::vector<Finding>& findings);

// `work` answers a Result; `step` is asked for afterwards, when an id may be known that was not before.
// A write inside another one of the same thread is part of that one, and counted with it.
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
