// The power to mark the session that was worked on last (lopen: `latest`).
#pragma once

#include <optional>

#include "layout/change.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

class SessionMark {
 public:
  virtual ~SessionMark() = default;
  // The marked session, when it is there.
  virtual Result<std::optional<SessionRef>> current(Feed& feed) const = 0;
  virtual Result<Changes> make_current(Feed& feed, const SessionRef& ref) const = 0;
  // What has to change on opening for writing, so that the mark is right: it dangles.
  virtual Result<Changes> mend_current(Feed& feed) const = 0;
};

// On any layout: the marked session, if there are marks; and the changes that mark another.
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
