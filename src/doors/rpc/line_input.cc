#include "doors/rpc/line_input.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

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

Failure LineInput::too_long(RequestId& skipped, std::string_view rest) {
  skipped.feed(rest);
  skipped_id_ = skipped.found();
  return fail(Code::too_large, "a request may have at most " + std::to_string(max_line_) + " bytes");
}

Result<std::optional<std::string>> LineInput::next() {
  std::optional<RequestId> skipped;
  for (;;) {
    if (const auto end = buffer_.find('\n', searched_); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      searched_ = 0;
      if (!skipped && line.size() > max_line_) skipped.emplace();
      if (skipped) return too_long(*skipped, line);
      return line;
    }
    if (ended_) {
      if (skipped) return too_long(*skipped, std::exchange(buffer_, {}));
      if (buffer_.empty()) return std::nullopt;
      return std::exchange(buffer_, {});
    }
    searched_ = buffer_.size();
    if (!skipped && buffer_.size() > max_line_) skipped.emplace();
    if (skipped) {
      skipped->feed(buffer_);
      buffer_.clear();
      searched_ = 0;
    }
    HOLDFAST_LET(more, fill());
    ended_ = more == More::end;
  }
}

Result<void> LineInput::each(const std::function<void(const std::string& line)>& take,
                             const std::function<void(const Error& error)>& refuse) {
  while (true) {
    const auto line = next();
    if (line && !*line) return {};
    if (line)
      take(**line);
    else if (line.error().code == Code::too_large)
      refuse(line.error());
    else
      return fail(line.error());
  }
}

}  // namespace holdfast::inline v1
