// The leases that writers of this store hold. A writer that lost its lease to a
// takeover must not change that session any more, by any path.
// Thread-safety: any thread.
#pragma once

#include <holdfast/lease.h>

#include <map>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {

// Fails with busy if somebody took the session over.
inline Result<void> check_lease(const Lease& lease, std::string_view id) {
  HOLDFAST_LET(ours, lease.still_ours());
  if (ours || !does(Step::lease_writer_check)) return {};
  return fail(Code::busy, "someone took over this session; nothing more is written from here", std::string(id));
}

class OwnLeases {
 public:
  // `lease` must stay alive until it is dropped.
  void add(const std::string& id, const Lease& lease) {
    const ScopedLock guard(mutex_);
    held_[id] = &lease;
  }
  void drop(const std::string& id, const Lease& lease) {
    const ScopedLock guard(mutex_);
    if (const auto at = held_.find(id); at != held_.end() && at->second == &lease) held_.erase(at);
  }
  // True if a writer holds the session, and nobody took it over.
  bool holds(std::string_view id) const {
    const ScopedLock guard(mutex_);
    const auto at = held_.find(id);
    return at != held_.end() && at->second->still_ours().value_or(false);
  }
  // Fails with busy if this process had the session and somebody took it over.
  Result<void> check(std::string_view id) const {
    const ScopedLock guard(mutex_);
    const auto at = held_.find(id);
    return at == held_.end() ? Result<void>() : check_lease(*at->second, id);
  }

 private:
  mutable Mutex mutex_;
  std::map<std::string, const Lease*, std::less<>> held_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::inline v1
