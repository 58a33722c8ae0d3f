// Finds the sessions that a living process of their own agent has open, judging by
// the signs that the agent leaves (layout/live_session.h). Only reads; takes no lock.
// Thread-safety: constant after construction.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "layout/layout.h"
#include "layout/live_session.h"
#include "store/opened_roots.h"

namespace holdfast::inline v1 {

class LiveOwners {
 public:
  LiveOwners(const Layout& layout, const OpenedRoots& roots, Feed& feed);

  // True if the session has an owner; `ref` is only called if needed.
  template <typename Found>
  bool owns(const Found& session, const auto& ref) const {
    if (sessions_.contains(session.id)) return true;
    return of_session_ != nullptr && !session.hint.empty() && any_lives(of_session_(ref()));
  }

 private:
  bool lives(const LiveSign& sign) const;
  bool any_lives(const std::vector<LiveSign>& signs) const;

  const OpenedRoots& roots_;
  std::vector<LiveSign> (*of_session_)(const SessionRef& ref) = nullptr;
  std::set<std::string, std::less<>> sessions_;
};

}  // namespace holdfast::inline v1
