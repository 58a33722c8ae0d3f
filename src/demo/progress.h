// The demo's progress, on standard error: one line updated in place on a terminal, a
// plain line every other second elsewhere, nothing if quiet.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct Screen {
  bool quiet = false;     // no progress at all
  bool terminal = false;  // standard error can return to the start of a line
  bool colour = false;    // standard output supports colors
};

struct StormCounts {
  double elapsed = 0;  // seconds
  double total = 0;
  std::uint64_t acknowledged = 0;
  std::uint64_t kills = 0;
  std::uint64_t mended = 0;  // torn ends that a new writer found and cut off
};

// Returns one line of at most 79 columns, without a line end.
std::string progress_line(const StormCounts& counts, bool bar);

class DemoProgress {
 public:
  explicit DemoProgress(const Screen& screen) : screen_(screen) {}
  ~DemoProgress() { clear(); }
  DemoProgress(const DemoProgress&) = delete;
  DemoProgress& operator=(const DemoProgress&) = delete;

  // Prints a permanent line.
  void say(std::string_view text);
  // Replaces the current line; cheap if called too often.
  void update(const StormCounts& counts);
  // Shows a temporary line, on a terminal only.
  void show(std::string_view text);
  void clear();

 private:
  Screen screen_;
  bool dirty_ = false;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace holdfast::inline v1
