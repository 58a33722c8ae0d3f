// A way to a simulated disk on which somebody is met: before the n-th call of
// any kind, looks and locks included, another process acts, from beginning to
// end. So every order of two processes in which one is interrupted once.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>

#include "disk/passing_on_testing.h"

namespace holdfast::lab {

// Waiting costs nothing: time goes on when somebody sleeps.
class JumpingClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override { return std::chrono::system_clock::time_point(passed_); }
  std::chrono::steady_clock::time_point ticks() const override {
    return std::chrono::steady_clock::time_point(passed_);
  }
  void sleep(std::chrono::nanoseconds time) const override { passed_ += time; }

 private:
  mutable std::chrono::nanoseconds passed_{std::chrono::hours(24)};
};

class MeetingFileSystem final : public FileSystem {
 public:
  // Both must outlive all handles.
  explicit MeetingFileSystem(FileSystem& inner) : inner_(inner) {}

  // Before call number `call`, counted from 0 on, `visit` is run, in a thread of
  // its own, as the other process that it stands for would be. It does not come
  // this way itself.
  void meet(std::uint64_t call, std::function<void()> visit);
  void meet_nobody();
  std::uint64_t calls() const { return calls_; }

  // From the handles, in any thread.
  void step();

  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override;
  Result<FileSystemKind> kind_of(std::string_view path) override { return inner_.kind_of(path); }
  std::uint64_t entropy() override { return inner_.entropy(); }

 private:
  FileSystem& inner_;
  std::mutex mutex_;
  std::multimap<std::uint64_t, std::function<void()>> visits_;
  std::atomic<std::uint64_t> calls_{0};
};

}  // namespace holdfast::lab
