#include "rules/queue/queue_storage.h"

#include "rules/queue/queue_log.h"
#include "rules/queue/queue_records.h"
#include "store/engine.h"

namespace holdfast::inline v1 {

Result<const SyncMap*> sync_map_of(Store& store) {
  HOLDFAST_LET(files, engine_of(store));
  if (const SyncMap* map = files->layout().sync_map()) return map;
  return fail(Code::unsupported, "layout " + std::string(store.layout_name()) + " cannot hold: a sync queue",
              store.name());
}

Result<std::unique_ptr<QueueStorage>> open_queue_storage(Store& store) {
  HOLDFAST_LET(map, sync_map_of(store));
  HOLDFAST_LET(files, engine_of(store));
  if (map->derived()) return std::make_unique<LogQueue>(*files, *map);
  return std::make_unique<RecordQueue>(store);
}

}  // namespace holdfast::inline v1
