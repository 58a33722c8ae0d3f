#include "rules/queue/enqueue.h"

#include <optional>

#include "layout/change.h"
#include "layout/moment.h"
#include "store/carry_out.h"
#include "store/record_codec.h"
#include "store/record_lookup.h"

namespace holdfast::inline v1 {
namespace {

// Returns the document as the changes will leave it, or as it is if they do not touch it.
Result<std::optional<std::string>> document_after(DirectoryFeed& feed, const Changes& changes, const Place& place) {
  const std::vector<Change>& list = changes.list();
  for (auto change = list.rbegin(); change != list.rend(); ++change) {
    if (change->place == place && (change->kind == ChangeKind::put || change->kind == ChangeKind::create))
      return change->bytes;
  }
  return feed.document(place, std::uint64_t{64} << 20);
}

struct Told {
  SyncSubject subject;
  std::string_view op;
  std::string bytes;
};

Result<std::optional<Told>> told_by(const SyncMap& map, DirectoryFeed& feed, const Change& change) {
  std::string bytes = change.bytes;
  const bool removed = change.kind == ChangeKind::remove;
  if (!removed && change.kind != ChangeKind::put && change.kind != ChangeKind::create) return std::nullopt;
  if (removed) {
    HOLDFAST_LET(before, feed.document(change.place, std::uint64_t{64} << 20));
    if (!before) return std::nullopt;
    bytes = std::move(*before);
  }
  if (changes_nothing(feed, change)) return std::nullopt;
  auto subject = map.subject(change.place, bytes);
  if (!subject) return std::nullopt;
  if (removed) bytes.clear();
  return Told{std::move(*subject), removed ? "delete" : "upsert", std::move(bytes)};
}

Result<bool> may_leave(const SyncMap& map, DirectoryFeed& feed, const Changes& changes, const SyncSubject& subject) {
  HOLDFAST_LET(privacy, document_after(feed, changes, map.privacy_document(subject)));
  return privacy && !map.local_only(*privacy);
}

// Queues one item: in a new file, or with a new intent in the existing one.
Result<bool> queue_one(const Layout& layout, DirectoryFeed& feed, const Told& told, SyncItem& item,
                       std::chrono::system_clock::time_point now, Changes& items) {
  HOLDFAST_LET(shape, shape_of_kind(layout, "queue_item"));
  const std::string id = sync_item_id(told.subject);
  HOLDFAST_LET(place, place_of_record(layout, feed, *shape, {"queue_item", {}, id}));
  HOLDFAST_LET(bytes, feed.document(place, std::uint64_t{1} << 20));
  std::optional<SyncItem> before;
  if (bytes) {
    if (auto record = read_record(*shape, id, *bytes)) before = parse_sync_item(*record);
  }
  item = new_sync_item(told.subject, told.op, told.bytes, now, before ? &*before : nullptr);
  if (before && !before->failed() && before->op == item.op && before->payload_hash == item.payload_hash) return false;
  item.owner.clear();  // the file has only the seed's fields
  item.hint.clear();
  item.order = 0;
  const std::string json = sync_item_json(item);
  auto spelled = before ? patch_record(*shape, *bytes, JsonView(json)) : format_record(*shape, id, JsonView(json));
  if (!spelled) return fail(std::move(spelled).error());
  if (bytes)
    items.put(std::move(place), std::move(*spelled));
  else
    items.create(std::move(place), std::move(*spelled));
  return true;
}

}  // namespace

Result<std::vector<SyncItem>> add_queue_items(const Layout& layout, DirectoryFeed& feed, Changes& changes,
                                              const Moment& moment) {
  std::vector<SyncItem> queued;
  const SyncMap* map = layout.sync_map();
  if (map == nullptr || map->derived()) return queued;
  Changes items;
  for (const Change& change : changes.list()) {
    HOLDFAST_LET(told, told_by(*map, feed, change));
    if (!told) continue;
    HOLDFAST_LET(leaves, may_leave(*map, feed, changes, told->subject));
    if (!leaves) continue;
    SyncItem item;
    HOLDFAST_LET(added, queue_one(layout, feed, *told, item, moment.now, items));
    if (added) queued.push_back(std::move(item));
  }
  changes.add(std::move(items));
  return queued;
}

}  // namespace holdfast::inline v1
