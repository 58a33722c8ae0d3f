#include "doors/rpc/line_input.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

namespace holdfast::inline v1 {

LineInput::LineInput(int input, std::size_t max_line)
    : input_(input), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), max_line_(max_line) {}

LineInput::~LineInput() { ::close(wake_); }

void LineInput::wake() noexcept {
  const std::uint64_t one = 1;
  (void)!::write(wake_, &one, sizeof one);
}

Result<LineInput::More> LineInput::fill() {
  std::array<pollfd, 2> waits{{{input_, POLLIN, 0}, {wake_, POLLIN, 0}}};
  while (::poll(waits.data(), waits.size(), -1) < 0) {
    if (errno != EINTR) return fail(os_error(errno, "cannot wait for input", ""));
  }
  if (waits[1].revents != 0) return More::end;
  std::array<char, 65536> bytes;
  const auto count = ::read(input_, bytes.data(), bytes.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return More::yes;
  if (count < 0) return fail(os_error(errno, "cannot read the input", ""));
  if (count == 0) return More::end;
  buffer_.append(bytes.data(), static_cast<std::size_t>(count));
  return More::yes;
}

Result<std::optional<std::string>> LineInput::next() {
  bool skipping = false;
  for (;;) {
    if (const auto end = buffer_.find('\n', searched_); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      searched_ = 0;
      if (skipping || line.size() > max_line_) return fail(Code::too_large, "a line is longer than a request may be");
      return line;
    }
    if (ended_) {
      if (buffer_.empty() || skipping) return std::nullopt;
      return std::exchange(buffer_, {});
    }
    searched_ = buffer_.size();
    if (buffer_.size() > max_line_) skipping = true;
    if (skipping) {
      buffer_.clear();
      searched_ = 0;
    }
    HOLDFAST_LET(more, fill());
    ended_ = more == More::end;
  }
}

}  // namespace holdfast::inline v1
