// What a store of a layout sends to a remote: which of its files hold which thread,
// session or message, and whose privacy applies (seed 004). Like all of src/layout, it
// does no I/O. Thread-safety: constant objects.
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
  std::string owner = {};   // the thread or, in the native layout, the session it belongs to; empty if none
  std::string hint = {};    // private to the map; opaque to the engine
  std::uint64_t order = 0;  // within one owner, the order in which subjects are received
};

// What a remote gets: the bytes as recorded, and the texts that they refer to (path, bytes).
struct SyncPayload {
  std::string bytes;
  std::vector<std::pair<std::string, std::string>> attachments = {};
};

struct ReceivedSubject {
  SyncSubject subject;
  std::optional<SyncPayload> payload;  // nullopt if the subject was deleted there
};

class SyncMap {
 public:
  virtual ~SyncMap() = default;

  // If false, items are records of kind "queue_item", written in the same commit as the change they
  // report. If true, the queue is a log (queue_log), derived from what is recorded.
  virtual bool derived() const = 0;
  virtual Place queue_log() const { return {}; }
  // The globally unique name of this store; empty if it has none.
  virtual Result<std::string> origin(Feed& /*feed*/) const { return std::string(); }

  // The subject in the document at `place`; nullopt if there is none. `bytes` is its current
  // content, or its content before it was deleted. For queues that are not derived.
  virtual std::optional<SyncSubject> subject(const Place& place, std::string_view bytes) const = 0;
  // The subject of a session in a derived queue, and of a line of its log.
  virtual SyncSubject session(const SessionRef& ref) const = 0;
  virtual std::optional<SyncSubject> line(const SyncSubject& session, const FeedRecord& record) const = 0;

  // The subjects that an item without an owner may refer to: one for every possible
  // owner, whether it exists or not. For queues that are not derived.
  virtual Result<std::vector<SyncSubject>> subjects(Feed& feed, std::string_view entity, std::string_view id) const = 0;

  // The document whose privacy setting governs the subject, and whether that document keeps it
  // local. Local by default; if the document is missing, nothing is sent except a deletion.
  virtual Place privacy_document(const SyncSubject& subject) const = 0;
  virtual bool local_only(std::string_view document) const = 0;

  // nullopt if the subject no longer exists.
  virtual Result<std::optional<SyncPayload>> payload(Feed& feed, const SyncSubject& subject) const = 0;

  // The changes that store received subjects, all of one owner or of none; none for subjects that
  // are already up to date. Fails with unsafe_path or corrupt if no store of this layout can have
  // sent them, and with not_found if their owner must be received first.
  virtual Result<Changes> receive(Feed& feed, std::span<const ReceivedSubject> received) const = 0;
};

}  // namespace holdfast::inline v1
