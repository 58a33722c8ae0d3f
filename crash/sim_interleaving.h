// A file system that interleaves two processes on a simulated disk: before the n-th call
// of any kind, including reads and locks, another process acts from beginning to end.
// This covers every order of two processes in which one is interrupted once.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>

#include "disk/forwarding_testing.h"

namespace holdfast::lab {

// Sleeping takes no real time: the clock just jumps.
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

class InterleavingFileSystem final : public FileSystem {
 public:
  // Both must outlive all handles.
  explicit InterleavingFileSystem(FileSystem& inner) : inner_(inner) {}

  // Runs `visit` before call number `call`, counted from 0, in its own thread,
  // like the other process that it represents. The visit itself must not use
  // this object.
  void meet(std::uint64_t call, std::function<void()> visit);
  void clear_visits();
  std::uint64_t calls() const { return calls_; }

  // Called by the handles, in any thread.
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
