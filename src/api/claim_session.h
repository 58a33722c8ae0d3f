// Decides who owns a session once a call begins to work on it (decision 14): a
// door that stays open, the process that a script named, or nobody. A call that is
// refused leaves the owner as it was.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "api/call.h"

namespace holdfast::inline v1 {

// Gives back the lease that a call took, unless the call keeps it, or its owner had the session before.
// Lifetime: must not outlive the call.
class TakenLease {
 public:
  // Before the lease is taken. `id` must be whole.
  TakenLease(const Call& call, std::shared_ptr<Store> store, std::string id);
  TakenLease(const TakenLease&) = delete;
  TakenLease& operator=(const TakenLease&) = delete;
  ~TakenLease();
  void keep() { kept_ = true; }

 private:
  const Call& call_;
  const std::shared_ptr<Store> store_;
  const std::string id_;
  bool kept_;
};

// For StartRequest::claim. Lifetime: must not outlive the call.
class SessionClaim {
 public:
  SessionClaim(const Call& call, std::shared_ptr<Store> store) : call_(call), store_(std::move(store)) {}
  // Fails with busy, naming the owner, while another owner lives, unless the call has takeover. A dead owner is
  // ignored.
  Result<void> take(const std::string& id);
  // The call has succeeded. Otherwise what was taken is given back.
  void keep();

 private:
  const Call& call_;
  const std::shared_ptr<Store> store_;
  std::optional<TakenLease> taken_;
  std::string unowned_;  // the session that was claimed for nobody
};

}  // namespace holdfast::inline v1
