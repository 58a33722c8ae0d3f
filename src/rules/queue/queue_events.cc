#include "rules/queue/queue_events.h"

#include "store/observe.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

void report_enqueued(const Context& context, FileStore& store, const SyncItem& item) {
  JsonWriter json;
  json.begin_object().key("entity").string(item.entity).key("entityId").string(item.entity_id);
  store.tell("sync:enqueued", json.key("op").string(item.op).end_object().take());
  note(context, store, "sync.enqueue",
       {{"item", item.id}, {"entity", item.entity}, {"entity_id", item.entity_id}, {"op", item.op}});
}

void note_attempt(const Context& context, FileStore& store, const SyncItem& item) {
  note(context, store, "sync.attempt",
       {{"item", item.id}, {"entity", item.entity}, {"op", item.op}, {"attempt", item.attempts + 1}});
  count_tick(store, Tick::sync_attempts);
}

void tell_failed(const Context& context, FileStore& store, const SyncItem& item) {
  const std::string_view code = code_name(Code::sync_transport_failed);
  JsonWriter json;
  json.begin_object().key("itemId").string(item.id).key("code").string(code);
  store.tell("sync:failed", json.key("attempts").int64(item.attempts).end_object().take());
  note(context, store, "sync.fail",
       {{"item", item.id}, {"code", code}, {"attempts", item.attempts}, {"status", item.status}});
}

}  // namespace holdfast::inline v1
