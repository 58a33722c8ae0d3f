#include "demo/progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "demo/numbers.h"

namespace holdfast::inline v1 {
namespace {

constexpr auto kOnTerminal = std::chrono::milliseconds(100);
constexpr auto kElsewhere = std::chrono::seconds(2);
constexpr std::size_t kBar = 14;

}  // namespace

std::string progress_line(const StormCounts& counts, bool bar) {
  std::string line;
  if (bar) {
    const double part = counts.total > 0 ? std::clamp(counts.elapsed / counts.total, 0.0, 1.0) : 1.0;
    const auto filled = static_cast<std::size_t>(part * static_cast<double>(kBar));
    line = fmt::format("[{}{}] ", std::string(filled, '#'), std::string(kBar - filled, '.'));
  }
  line += fmt::format("{:4.1f} s {:>9} acknowledged {:>5} kills {:>4} mended", counts.elapsed,
                      with_commas(counts.acknowledged), with_commas(counts.kills), with_commas(counts.mended));
  return line;
}

void DemoProgress::say(std::string_view text) {
  if (screen_.quiet) return;
  clear();
  fmt::print(stderr, "{}\n", text);
}

void DemoProgress::update(const StormCounts& counts) {
  const auto now = std::chrono::steady_clock::now();
  if (screen_.quiet || now < next_) return;
  next_ = now + (screen_.terminal ? std::chrono::nanoseconds(kOnTerminal) : std::chrono::nanoseconds(kElsewhere));
  if (screen_.terminal)
    show(progress_line(counts, true));
  else if (counts.elapsed > 0.5)
    say(progress_line(counts, false));
}

void DemoProgress::show(std::string_view text) {
  if (screen_.quiet || !screen_.terminal) return;
  fmt::print(stderr, "\r{}\033[K", text);
  std::fflush(stderr);
  dirty_ = true;
}

void DemoProgress::clear() {
  if (!dirty_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  dirty_ = false;
}

}  // namespace holdfast::inline v1
