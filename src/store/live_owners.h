// Which sessions a living process of their own agent has open, by the signs that the
// agent leaves (layout/live_session.h). Looks only; takes no lock.
// Thread-safety: constant once made.
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

  // Whether the session has one; `ref` is made only where it is needed.
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
