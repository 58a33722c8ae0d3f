// Tells when something in a directory changes (inotify; where the system has no instance or watch left for that, by
// looking at its entries twice a second).
// Events are merged and may be lost when there are too many: they are a reason
// to look, never a count. Thread-safety: one thread a Watch, but wake() from any.
#pragma once

#include <holdfast/context.h>
#include <holdfast/export.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct Changed {
  std::vector<std::string> paths;  // absolute, sorted, each once
  bool overflow = false;           // look at everything
};

class HOLDFAST_EXPORT Watch {
 public:
  static Result<Watch> create();
  Watch(Watch&&) noexcept;
  Watch& operator=(Watch&&) noexcept;
  ~Watch();

  // Watches the entries of a directory (not below it). Adding twice is harmless.
  Result<void> add(std::string_view directory);

  // Waits until something changed, wake() was called (empty result) or the
  // context ends (its error).
  Result<Changed> wait(const Context& context);

  void wake();

 private:
  struct Impl;
  explicit Watch(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast::inline v1
