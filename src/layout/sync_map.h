// What a store of some layout has to tell a remote: which of its files hold
// which thread, session or message, and whose privacy counts (seed 004). No I/O,
// like everything in this room. Thread-safety: constant objects.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "layout/change.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

struct SyncSubject {
  std::string entity;  // "thread", "session", "message"
  std::string id;
  std::string owner = {};   // the thread, or natively the session, that it belongs to; empty: none
  std::string hint = {};    // anything that the map wants handed back; opaque to the engine
  std::uint64_t order = 0;  // among those of one owner: who comes first is received first
};

// What a remote gets: the bytes as they are recorded, and texts that they only name (path, bytes).
struct SyncPayload {
  std::string bytes;
  std::vector<std::pair<std::string, std::string>> attachments = {};
};

struct SyncReceived {
  SyncSubject subject;
  std::optional<SyncPayload> payload;  // none: it was deleted there
};

class SyncMap {
 public:
  virtual ~SyncMap() = default;

  // False: items are records of kind "queue_item", made in the commit of what
  // they tell of. True: the queue is a log (queue_log), derived from what is recorded.
  virtual bool derived() const = 0;
  virtual Place queue_log() const { return {}; }
  // The name of this store among all stores; empty: it has none of its own.
  virtual Result<std::string> origin(Feed& /*feed*/) const { return std::string(); }

  // What the document at `place` is to a remote; nullopt: nothing. `bytes` is
  // the document as it is, or was before it went. For queues that are not derived.
  virtual std::optional<SyncSubject> subject(const Place& place, std::string_view bytes) const = 0;
  // What a session of a derived queue, and a line of its log, are to a remote.
  virtual SyncSubject session(const SessionRef& ref) const = 0;
  virtual std::optional<SyncSubject> line(const SyncSubject& session, const FeedRecord& record) const = 0;

  // What an item may mean that does not say its owner: the subject in every
  // owner that could have it, there or not. For queues that are not derived.
  virtual Result<std::vector<SyncSubject>> subjects(Feed& feed, std::string_view entity, std::string_view id) const = 0;

  // The document whose privacy decides over the subject, and what that says.
  // Local unless it says otherwise; one that is not there lets nothing out.
  virtual Place privacy_document(const SyncSubject& subject) const = 0;
  virtual bool local_only(std::string_view document) const = 0;

  // nullopt when it is gone.
  virtual Result<std::optional<SyncPayload>> payload(Feed& feed, const SyncSubject& subject) const = 0;

  // The subjects in this store as another one sent them, all of one owner or of
  // none; nothing for those that are so already. unsafe_path, corrupt: not what
  // a store of this layout can have sent. not_found: their owner must come first.
  virtual Result<Changes> receive(Feed& feed, std::span<const SyncReceived> received) const = 0;
};

}  // namespace holdfast::inline v1
