// Lets the laboratory observe a simulated file system and inject faults: before
// and after every call that changes something.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast::inline v1 {

enum class SimCallKind {
  create,  // open() in one of its two create modes
  append,
  write_at,
  truncate,
  set_mode,
  sync,
  make_directory,
  make_link,
  make_symlink,
  rename,
  remove,
  remove_directory,
  sync_directory,
};

struct SimCall {
  SimCallKind kind = SimCallKind::create;
  std::string path;         // absolute; of a rename or link: the existing name
  std::string to;           // absolute; the new name of a rename or link
  std::uint64_t bytes = 0;  // requested to be written; the new size for truncate()
  std::uint64_t index = 0;  // number of the call, from 0 since boot
};

struct Injection {
  enum class Kind {
    none,
    // The call fails with `error` and has no effect. Exception: a sync or
    // sync_directory that fails with anything but EINTR loses what was pending
    // forever, and reports it only once (SimState::fail_sync_file).
    fail,
    // append: writes `bytes` bytes (half by default, at least one) and returns
    // that count. write_at: writes as many, then fails with `error`, ENOSPC by
    // default. No effect on other calls.
    short_write,
    // The process dies before the call has any effect.
    kill_before,
    // The process dies during the call: append and write_at wrote `bytes` bytes
    // (a random number by default), any other call has had its effect.
    kill_inside,
  };
  static constexpr std::uint64_t kDefault = ~std::uint64_t{0};

  Kind kind = Kind::none;
  int error = 0;  // errno
  std::uint64_t bytes = kDefault;
};

// Called without any lock held, in the thread that makes the call. May use the
// file system, for example to take crash states. Must outlive its registration.
class SimObserver {
 public:
  virtual ~SimObserver() = default;
  virtual Injection before(const SimCall&) { return {}; }
  virtual void after(const SimCall&) {}  // only if the call succeeded
};

}  // namespace holdfast::inline v1
