// An item of the sync queue: something to send to a remote, and the attempts so far.
// The retry rules of seed 004, as pure functions.
#pragma once

#include <holdfast/error.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "layout/sync_map.h"

namespace holdfast::inline v1 {

struct SyncItem {
  std::string id;  // "sq_…"
  std::string entity;
  std::string entity_id;
  std::string op = "upsert";  // or "delete"
  std::string payload_hash;   // "sha256:…" of the bytes when queued
  std::int64_t attempts = 0;
  std::string next_attempt_at;
  std::string created_at;
  std::string status = "pending";  // or "failed": not tried again until requested
  std::string owner = {};          // known only in a derived queue
  std::string hint = {};
  std::uint64_t order = 0;

  bool failed() const { return status == "failed"; }
  // Whether both stand for the same change, regardless of attempts.
  bool same_intent(const SyncItem& other) const {
    return id == other.id && op == other.op && payload_hash == other.payload_hash && created_at == other.created_at;
  }
};

inline constexpr std::int64_t kMaxSyncAttempts = 10;
inline constexpr std::chrono::seconds kMinBackoff{10};
inline constexpr std::chrono::seconds kMaxBackoff{300};

// Returns the id of a subject's item. It is computed from the subject, so queueing
// twice has no further effect.
std::string sync_item_id(const SyncSubject& subject);

// Returns "sha256:" and 64 digits; for a deletion, of no bytes.
std::string payload_hash_of(std::string_view bytes);

// Returns a new item that is due at once. If the previous item of the subject is still
// pending, keeps its time: saving again during an outage must not cause more attempts.
SyncItem new_sync_item(const SyncSubject& subject, std::string_view op, std::string_view bytes,
                       std::chrono::system_clock::time_point now, const SyncItem* before = nullptr);

// Returns the wait after failure number `attempts` (1 …): between half and all of
// 20 s · 2^(attempts-1), capped at 5 min; so 10–20 s, 20–40 s, … 150–300 s.
std::chrono::milliseconds backoff(std::int64_t attempts, std::uint64_t random);

// Returns the item after one more failed attempt. After attempt kMaxSyncAttempts it is
// `failed`.
SyncItem after_failure(SyncItem item, std::chrono::system_clock::time_point now, std::uint64_t random);
// Returns the item as if it had just been queued.
SyncItem after_retry(SyncItem item, std::chrono::system_clock::time_point now);

// Whether the item is pending and its time has come. A time that cannot be parsed counts as come.
bool is_due(const SyncItem& item, std::chrono::system_clock::time_point now);

// In the model's names; also the line in a derived queue's log.
std::string sync_item_json(const SyncItem& item);
SyncItem parse_sync_item(std::string_view record);

}  // namespace holdfast::inline v1
