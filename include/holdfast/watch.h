// Reports changes in directories, with inotify. If the system has no inotify instance or watch left, reads the
// entries of the directory twice a second instead.
// Events are merged and may be lost when there are too many: they are a reason to
// look, never a count. Thread-safety: one thread per Watch, but any may call wake().
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
  bool overflow = false;           // events were lost: anything may have changed
};

class HOLDFAST_EXPORT Watch {
 public:
  static Result<Watch> create();
  Watch(Watch&&) noexcept;
  Watch& operator=(Watch&&) noexcept;
  ~Watch();

  // Watches the entries of a directory, not of its subdirectories. Adding twice is harmless.
  Result<void> add(std::string_view directory);

  // Waits until something changes. Returns an empty result after wake(), and the
  // context's error when it is stopped or its deadline passes.
  Result<Changed> wait(const Context& context);

  void wake();

 private:
  struct Impl;
  explicit Watch(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast::inline v1
