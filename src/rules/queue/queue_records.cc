#include "rules/queue/queue_records.h"

#include <algorithm>

#include "base/sort_stably.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

RecordKey key_of(std::string_view id) { return {"queue_item", {}, std::string(id)}; }

}  // namespace

Result<QueueStorage::Items> RecordQueue::items(const Context& context) {
  HOLDFAST_LET(list, store_.list_records(context, key_of({})));
  Items found;
  found.findings = std::move(list.findings);
  for (const std::string& record : list.records) found.items.push_back(parse_sync_item(record));
  sort_stably(found.items, [](const SyncItem& a, const SyncItem& b) { return a.created_at < b.created_at; });
  return found;
}

Result<std::optional<SyncItem>> RecordQueue::item(const Context& context, std::string_view id) {
  auto record = store_.get_record(context, key_of(id));
  if (record) return parse_sync_item(*record);
  if (record.error().code == Code::not_found) return std::nullopt;
  return fail(std::move(record).error());
}

Result<bool> RecordQueue::settle(const Context& context, const SyncItem& was, const std::optional<SyncItem>& now) {
  bool same = false;
  HOLDFAST_TRY(store_.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
    HOLDFAST_LET(there, look(key_of(was.id)));
    same = !there.records.empty() && parse_sync_item(there.records.front()).same_intent(was);
    if (!same) return Edits{};
    if (!now) return Edits{{RecordEdit::Kind::remove, key_of(was.id), {}}};
    JsonWriter json;
    json.begin_object().key("attempts").int64(now->attempts).key("next_attempt_at").string(now->next_attempt_at);
    json.key("status").string(now->status).end_object();
    return Edits{{RecordEdit::Kind::patch, key_of(was.id), json.take()}};
  }));
  return same;
}

Result<std::vector<SyncItem>> RecordQueue::derive(const Context&) { return std::vector<SyncItem>(); }

}  // namespace holdfast::inline v1
