// Optional interface of a layout that keeps each message in a file of its own, by
// thread. There is no log and no LineWriter: a Spelling has only `first` and no lines.
// Both spelling functions only plan: they read through the feed and are called again after
// a conflict. Empty changes mean that the same message already exists.
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
  // Reports the messages of all sessions of a thread, ordered by time.
  virtual Result<void> read_thread(Feed& feed, std::string_view thread, const Layout::ReadOptions& options,
                                   Events& events) const = 0;
};

}  // namespace holdfast::inline v1
