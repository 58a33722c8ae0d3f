// An item of the sync queue: something that a remote is to be told, and how that
// went so far. The rules of seed 004 for retries, as pure functions.
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
  std::string payload_hash;   // "sha256:…" of the bytes when it was queued
  std::int64_t attempts = 0;
  std::string next_attempt_at;
  std::string created_at;
  std::string status = "pending";  // or "failed": not tried again until somebody says so
  std::string owner = {};          // of a derived queue, which knows it
  std::string hint = {};
  std::uint64_t order = 0;

  bool failed() const { return status == "failed"; }
  // The same thing to tell, however often it was tried.
  bool same_intent(const SyncItem& other) const {
    return id == other.id && op == other.op && payload_hash == other.payload_hash && created_at == other.created_at;
  }
};

inline constexpr std::int64_t kMaxSyncAttempts = 10;
inline constexpr std::chrono::seconds kLeastBackoff{10};
inline constexpr std::chrono::seconds kMostBackoff{300};

// One item a subject: the name of its item is made from the subject, so that
// queueing twice is queueing once.
std::string sync_item_id(const SyncSubject& subject);

// "sha256:" and 64 digits; of nothing for a deletion.
std::string payload_hash_of(std::string_view bytes);

// A new item, due at once. One for the same subject that is still there hands on
// its time: an outage is not tried harder because somebody goes on saving.
SyncItem new_sync_item(const SyncSubject& subject, std::string_view op, std::string_view bytes,
                       std::chrono::system_clock::time_point now, const SyncItem* before = nullptr);

// The wait after failure number `attempts` (1 …): between half and all of
// 20 s · 2^(attempts-1), capped at 5 min; so 10–20 s, 20–40 s, … 150–300 s.
std::chrono::milliseconds backoff(std::int64_t attempts, std::uint64_t random);

// The item after one more failed attempt. The tenth, or one that no retry can
// mend, makes it `failed`.
SyncItem after_failure(SyncItem item, std::chrono::system_clock::time_point now, std::uint64_t random);
// As if it had just been queued.
SyncItem after_retry(SyncItem item, std::chrono::system_clock::time_point now);

// Pending, and its time has come. A time that cannot be read has come.
bool is_due(const SyncItem& item, std::chrono::system_clock::time_point now);

// In the model's names; also the line of a derived queue's log.
std::string sync_item_json(const SyncItem& item);
SyncItem sync_item_of(std::string_view record);

}  // namespace holdfast::inline v1
