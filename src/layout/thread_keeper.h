// Optional interface of a layout that groups sessions into threads.
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
  // The thread that a session belongs to; empty if none.
  virtual Result<std::string> thread_of(Feed& feed, const SessionRef& ref) const = 0;
  // Updates the index of threads that the layout prescribes for these threads as they will be
  // (nullopt: deleted). With `anew`, rebuilds it from all threads. No changes by default.
  using SavedThreads = std::map<std::string, std::optional<std::string>>;
  virtual Result<Changes> index_threads(Feed& /*feed*/, const SavedThreads& /*saved*/, bool /*anew*/,
                                        const Moment& /*moment*/) const {
    return Changes();
  }
};

// The thread of a session in any layout; empty if none.
inline Result<std::string> thread_of(const Layout& layout, Feed& feed, const SessionRef& ref) {
  return layout.threads() == nullptr ? std::string() : layout.threads()->thread_of(feed, ref);
}
// The changes to the index of threads in any layout; none if it has no such index.
inline Result<Changes> index_threads(const Layout& layout, Feed& feed, const ThreadKeeper::SavedThreads& saved,
                                     bool anew, const Moment& moment) {
  return layout.threads() == nullptr ? Changes() : layout.threads()->index_threads(feed, saved, anew, moment);
}

}  // namespace holdfast::inline v1
