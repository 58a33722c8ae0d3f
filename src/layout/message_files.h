// The power to keep each message in a file of its own, by thread; there is no log
// then and no LineWriter. Spelling says everything in `first`, without lines. It is a
// plan: it reads what it needs through the feed and is asked again after a
// conflict. Empty changes: the same message is there already.
#pragma once

#include <string_view>

#include "layout/moment.h"
#include "layout/writable_layout.h"

namespace holdfast::inline v1 {

class MessageFiles {
 public:
  virtual ~MessageFiles() = default;
  virtual Result<Spelling> spell_message(Feed& feed, const SessionRef& ref, const Message& draft,
                                         const Moment& moment) const = 0;
  virtual Result<Spelling> spell_raw_message(Feed& feed, const SessionRef& ref, std::string_view record,
                                             const Moment& moment) const = 0;
  // The messages of all sessions of a thread, in the order of their times.
  virtual Result<void> read_thread(Feed& feed, std::string_view thread, const Layout::ReadOptions& options,
                                   Events& events) const = 0;
};

}  // namespace holdfast::inline v1
