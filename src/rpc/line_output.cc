#include "rpc/line_output.h"

#include <unistd.h>

#include <cerrno>
#include <string>

namespace holdfast::inline v1 {

LineOutput::LineOutput(int output, std::function<void()> on_lost) : output_(output), on_lost_(std::move(on_lost)) {}

void LineOutput::write(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  std::string_view rest = text;
  const std::lock_guard lock(mutex_);
  while (!rest.empty() && !lost_) {
    const auto count = ::write(output_, rest.data(), rest.size());
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      lost_ = true;
      on_lost_();
    }
  }
}

}  // namespace holdfast::inline v1
