// The leases that writers of this store hold. Who lost one to a takeover changes
// nothing more of that session, by whatever way the change would go.
// Thread-safety: any thread.
#pragma once

#include <holdfast/lease.h>

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "disk/steps.h"

namespace holdfast::inline v1 {

class OwnLeases {
 public:
  // `lease` lives until it is dropped.
  void add(const std::string& id, const Lease& lease) {
    const std::scoped_lock guard(mutex_);
    held_[id] = &lease;
  }
  void drop(const std::string& id, const Lease& lease) {
    const std::scoped_lock guard(mutex_);
    if (const auto at = held_.find(id); at != held_.end() && at->second == &lease) held_.erase(at);
  }
  // busy when this process had the session and somebody took it over.
  Result<void> check(std::string_view id) const {
    const std::scoped_lock guard(mutex_);
    const auto at = held_.find(id);
    if (at == held_.end()) return {};
    HOLDFAST_LET(ours, at->second->still_ours());
    if (ours || !does(Step::lease_writer_check)) return {};
    return fail(Code::busy, "somebody took this session over; nothing more is written from here", std::string(id));
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, const Lease*, std::less<>> held_;
};

}  // namespace holdfast::inline v1
