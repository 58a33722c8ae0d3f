// Optional interface of a layout that marks the session last worked on (lopen: `latest`).
#pragma once

#include <optional>

#include "layout/change.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

class SessionMark {
 public:
  virtual ~SessionMark() = default;
  // The marked session, if it exists.
  virtual Result<std::optional<SessionRef>> current(Feed& feed) const = 0;
  virtual Result<Changes> make_current(Feed& feed, const SessionRef& ref) const = 0;
  // The changes that repair a dangling mark when the store is opened for writing.
  virtual Result<Changes> mend_current(Feed& feed) const = 0;
};

// For any layout: the marked session, if there are marks; and the changes that move or repair the mark.
inline Result<std::optional<SessionRef>> marked_session(const Layout& layout, Feed& feed) {
  return layout.mark() == nullptr ? std::nullopt : layout.mark()->current(feed);
}
inline Result<Changes> mark_session(const Layout& layout, Feed& feed, const SessionRef& ref) {
  return layout.mark() == nullptr ? Changes() : layout.mark()->make_current(feed, ref);
}
inline Result<Changes> mend_mark(const Layout& layout, Feed& feed) {
  return layout.mark() == nullptr ? Changes() : layout.mark()->mend_current(feed);
}

}  // namespace holdfast::inline v1
