// The power to group sessions in threads.
#pragma once

#include <holdfast/error.h>

#include <map>
#include <optional>
#include <string>

#include "layout/change.h"
#include "layout/layout.h"
#include "layout/moment.h"

namespace holdfast::inline v1 {

class ThreadKeeper {
 public:
  virtual ~ThreadKeeper() = default;
  // The thread that a session belongs to; empty: none.
  virtual Result<std::string> thread_of(Feed& feed, const SessionRef& ref) const = 0;
  // An index of threads that the layout prescribes, right for these threads as
  // they will be (nullopt: gone); `anew`: read from all of them. Nothing by default.
  using SavedThreads = std::map<std::string, std::optional<std::string>>;
  virtual Result<Changes> index_threads(Feed& /*feed*/, const SavedThreads& /*saved*/, bool /*anew*/,
                                        const Moment& /*moment*/) const {
    return Changes();
  }
};

// The thread of a session on any layout; empty: none.
inline Result<std::string> thread_of(const Layout& layout, Feed& feed, const SessionRef& ref) {
  return layout.threads() == nullptr ? std::string() : layout.threads()->thread_of(feed, ref);
}
// The changes of the index of threads on any layout; nothing where there is none.
inline Result<Changes> index_threads(const Layout& layout, Feed& feed, const ThreadKeeper::SavedThreads& saved,
                                     bool anew, const Moment& moment) {
  return layout.threads() == nullptr ? Changes() : layout.threads()->index_threads(feed, saved, anew, moment);
}

}  // namespace holdfast::inline v1
