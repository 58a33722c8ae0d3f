// What a store of some layout has to tell a remote: which of its files hold
// which thread, session or message, and whose privacy counts (seed 004). No I/O,
// like everything in this room. Thread-safety: constant objects.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/change.h"
#include "layout/feed.h"

namespace holdfast::inline v1 {

struct SyncSubject {
  std::string entity;  // "thread", "session", "message"
  std::string id;
  std::string owner = {};  // the thread, or natively the session, that it belongs to; empty: none
};

class SyncMap {
 public:
  virtual ~SyncMap() = default;

  // False: items are records of kind "queue_item", made in the commit of what
  // they tell of. True: the queue is a log, derived from what is recorded.
  virtual bool derived() const = 0;

  // What the document at `place` is to a remote; nullopt: nothing. `bytes` is
  // the document as it is, or was before it went.
  virtual std::optional<SyncSubject> subject(const Place& place, std::string_view bytes) const = 0;

  // The subject of an item by what it says of itself, with its owner. Several
  // when the id alone does not decide; none when it is gone.
  virtual Result<std::vector<SyncSubject>> subjects(Feed& feed, std::string_view entity, std::string_view id) const = 0;

  // The document whose privacy decides over the subject, and what that says.
  // An owner that is not there lets nothing out.
  virtual Place privacy_document(const SyncSubject& subject) const = 0;
  virtual bool local_only(std::string_view document) const = 0;

  // What a remote gets: the bytes as they are recorded; nullopt when they are gone.
  virtual Result<std::optional<std::string>> payload(Feed& feed, const SyncSubject& subject) const = 0;

  // The same subject in this store as the other side sent it; nothing when it is
  // so already. `payload` is empty for a subject that was deleted there.
  virtual Result<Changes> receive(Feed& feed, const SyncSubject& subject,
                                  const std::optional<std::string>& payload) const = 0;
};

}  // namespace holdfast::inline v1
