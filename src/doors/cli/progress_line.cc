#include "doors/cli/progress_line.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/start_thread.h"
#include "doors/cli/columns.h"
#include "doors/cli/terminal.h"
#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kFirst = 1000, kNext = 250;  // milliseconds

void write_to_terminal(const std::string& text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); }

}  // namespace

ProgressLine::ProgressLine(std::string what) : text_(std::move(what)) {
  if (!screen_for(ColourChoice::automatic, false).terminal) return;
  over_ = ::eventfd(0, EFD_CLOEXEC);
  if (over_ < 0) return;
  thread_ = start_thread([this, over = over_] { run(over); });
}

void ProgressLine::tell(std::string_view text) {
  std::string line = clean_for_terminal(text, {.one_line = true});
  const ScopedLock lock(mutex_);
  text_ = std::move(line);
}

void ProgressLine::run(int over) {
  const auto begin = std::chrono::steady_clock::now();
  bool shown = false;
  pollfd ended{over, POLLIN, 0};
  while (::poll(&ended, 1, shown ? kNext : kFirst) == 0) {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin).count();
    std::string text;
    {
      const ScopedLock lock(mutex_);
      text = text_;
    }
    text = fit_columns(fmt::format("{}, {} s", text, seconds), std::max<std::size_t>(terminal_width(), 20) - 1);
    write_to_terminal("\r\x1b[K" + text);
    shown = true;
  }
  if (shown) write_to_terminal("\r\x1b[K");
}

void ProgressLine::stop() {
  if (over_ < 0) return;
  (void)::eventfd_write(over_, 1);
  if (thread_.joinable()) thread_.join();
  ::close(std::exchange(over_, -1));
}

}  // namespace holdfast::inline v1
