#include "rules/queue/sync_item.h"

#include <algorithm>
#include <charconv>

#include "base/hash.h"
#include "base/id.h"
#include "base/time.h"
#include "text/json_text.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
std::string sync_item_id(const SyncSubject& subject) {
  std::string name = subject.entity;
  name.append(1, '\0').append(subject.owner).append(1, '\0').append(subject.id);
  const std::string digest = sha256_hex(name);
  std::uint64_t bits = 0;
  std::from_chars(digest.data(), digest.data() + 16, bits, 16);
  return make_id("sq", bits, kMaxIdLetters);
}

std::string payload_hash_of(std::string_view bytes) { return "sha256:" + sha256_hex(bytes); }

SyncItem new_sync_item(const SyncSubject& subject, std::string_view op, std::string_view bytes,
                       std::chrono::system_clock::time_point now, const SyncItem* before) {
  SyncItem item;
  item.id = sync_item_id(subject);
  item.entity = subject.entity;
  item.entity_id = subject.id;
  item.op = op;
  item.payload_hash = payload_hash_of(bytes);
  item.created_at = iso8601(now);
  item.next_attempt_at = item.created_at;
  item.owner = subject.owner;
  item.hint = subject.hint;
  item.order = subject.order;
  if (before != nullptr && !before->failed()) {
    const auto then = parse_iso8601(before->next_attempt_at);
    if (then && *then > now && *then - now <= kMaxBackoff) item.next_attempt_at = before->next_attempt_at;
  }
  return item;
}

std::chrono::milliseconds backoff(std::int64_t attempts, std::uint64_t random) {
  using std::chrono::milliseconds;
  milliseconds most = 2 * milliseconds(kMinBackoff);
  for (std::int64_t i = 1; i < attempts && most < kMaxBackoff; ++i) most *= 2;
  most = std::min<milliseconds>(most, kMaxBackoff);
  const milliseconds least = most / 2;
  return least + milliseconds(random % (static_cast<std::uint64_t>((most - least).count()) + 1));
}

SyncItem after_failure(SyncItem item, std::chrono::system_clock::time_point now, std::uint64_t random) {
  item.attempts = std::max<std::int64_t>(item.attempts, 0) + 1;
  if (item.attempts >= kMaxSyncAttempts)
    item.status = "failed";
  else
    item.next_attempt_at = iso8601(now + backoff(item.attempts, random));
  return item;
}

SyncItem after_retry(SyncItem item, std::chrono::system_clock::time_point now) {
  item.status = "pending";
  item.attempts = 0;
  item.next_attempt_at = iso8601(now);
  return item;
}

bool is_due(const SyncItem& item, std::chrono::system_clock::time_point now) {
  if (item.failed()) return false;
  const auto then = parse_iso8601(item.next_attempt_at);
  // A wrong clock must not hold an item back forever.
  return !then || *then <= now || *then - now > kMaxBackoff;
}

std::string sync_item_json(const SyncItem& item) {
  JsonWriter json;
  json.begin_object().key("id").string(item.id).key("entity").string(item.entity);
  json.key("entity_id").string(item.entity_id).key("op").string(item.op);
  json.key("payload_hash").string(item.payload_hash).key("attempts").int64(item.attempts);
  json.key("next_attempt_at").string(item.next_attempt_at).key("created_at").string(item.created_at);
  json.key("status").string(item.status);
  if (!item.owner.empty()) json.key("owner").string(item.owner);
  if (!item.hint.empty()) json.key("hint").string(item.hint);
  if (item.order != 0) json.key("order").uint64(item.order);
  return json.end_object().take();
}

SyncItem parse_sync_item(std::string_view record) {
  const JsonView json(record);
  SyncItem item;
  item.id = json_text(json, "id");
  item.entity = json_text(json, "entity");
  item.entity_id = json_text(json, "entity_id");
  item.op = json_text(json, "op");
  item.payload_hash = json_text(json, "payload_hash");
  item.attempts = json.find("attempts").as_int64().value_or(0);
  item.next_attempt_at = json_text(json, "next_attempt_at");
  item.created_at = json_text(json, "created_at");
  if (auto status = json.find("status").as_string()) item.status = std::move(*status);
  item.owner = json_text(json, "owner");
  item.hint = json_text(json, "hint");
  item.order = static_cast<std::uint64_t>(std::max<std::int64_t>(json.find("order").as_int64().value_or(0), 0));
  return item;
}

}  // namespace holdfast::inline v1
