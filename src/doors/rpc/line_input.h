// Reads lines of limited length from a file descriptor until its end or a wake-up.
// Thread-safety: one reader; wake() from any thread and from signal callbacks.
#pragma once

#include <holdfast/error.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "doors/rpc/request_id.h"

namespace holdfast::inline v1 {

class LineInput {
 public:
  // Does not own `input`.
  LineInput(int input, std::size_t max_line);
  ~LineInput();
  LineInput(const LineInput&) = delete;
  LineInput& operator=(const LineInput&) = delete;

  // The next line without its newline; the last one may lack it. nullopt at the
  // end of the input and after wake(). Fails with too_large if a line is too
  // long; the line is skipped, and the next call continues after it.
  Result<std::optional<std::string>> next();
  // After too_large: the id of the request in that line, as written; empty if none was found.
  const std::string& skipped_id() const { return skipped_id_; }
  // Calls `take` with each line, and `refuse` for one that is too long, until the end or wake().
  Result<void> each(const std::function<void(const std::string& line)>& take,
                    const std::function<void(const Error& error)>& refuse);

  void wake() noexcept;

 private:
  enum class More { yes, end };
  Result<More> fill();
  Failure too_long(RequestId& skipped, std::string_view rest);

  int input_;
  int wake_;
  std::size_t max_line_;
  std::string buffer_;
  std::size_t searched_ = 0;
  bool ended_ = false;
  std::string skipped_id_;
};

}  // namespace holdfast::inline v1
