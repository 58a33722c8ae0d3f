#include "rules/queue/queue_log.h"

#include <algorithm>

#include "base/time.h"
#include "disk/steps.h"
#include "rules/queue/queue_derive.h"
#include "store/record_lock.h"

namespace holdfast::inline v1 {
namespace {

// Sessions before their lines, lines in log order.
bool before(const SyncItem& a, const SyncItem& b) {
  const bool a_line = !a.owner.empty(), b_line = !b.owner.empty();
  if (a_line != b_line) return b_line;
  if (a.owner != b.owner) return a.owner < b.owner;
  if (a.order != b.order) return a.order < b.order;
  return a.id < b.id;
}

}  // namespace

Result<void> LogQueue::catch_up(const Context& context) {
  DirectoryFeed feed(context, store_.roots().directories());
  return feed.records(map_.queue_log(), {read_, UINT64_MAX}, [&](const FeedRecord& record) {
    fold_.take(record.bytes);
    read_ = record.offset + record.bytes.size() + 1;
    return true;
  });
}

Result<void> LogQueue::append(const Context& context, std::vector<std::string> lines) {
  if (lines.empty()) return {};
  const Place place = map_.queue_log();
  if (!log_) {
    HOLDFAST_LET(root, store_.roots().root(place.root));
    HOLDFAST_LET(opened, AppendLog::open(context, root, place.path));
    log_ = std::move(opened);
  }
  HOLDFAST_TRY(log_->append_all_after_last(context, [&](std::string_view last) -> Result<std::vector<std::string>> {
    if (last.empty()) lines.insert(lines.begin(), queue_head_line(iso8601(context.clock->now())));
    return std::move(lines);
  }));
  return catch_up(context);
}

Result<QueueStorage::Items> LogQueue::items(const Context& context) {
  HOLDFAST_TRY(catch_up(context));
  DirectoryFeed feed(context, store_.roots().directories());
  Items found;
  QueueFold all = fold_;
  if (store_.options().sync) {
    HOLDFAST_LET(derived, derive_queue(context, store_.layout(), map_, feed, fold_));
    for (const SyncItem& item : derived.items) all.take(item_line(item));
    std::erase_if(all.items, [&](const auto& entry) {
      const SyncItem& item = entry.second;
      return derived.withheld.contains(item.owner.empty() ? item.entity_id : item.owner);
    });
  }
  for (auto& [id, item] : all.items) found.items.push_back(std::move(item));
  std::ranges::sort(found.items, before);
  found.findings = findings_of(feed);
  return found;
}

Result<std::optional<SyncItem>> LogQueue::item(const Context& context, std::string_view id) {
  HOLDFAST_TRY(catch_up(context));
  const auto at = fold_.items.find(id);
  if (at == fold_.items.end()) return std::nullopt;
  return at->second;
}

Result<bool> LogQueue::settle(const Context& context, const SyncItem& was, const std::optional<SyncItem>& now) {
  HOLDFAST_LET(lock, lock_records(context, *store_.roots().first()));
  HOLDFAST_TRY(catch_up(context));
  const auto at = fold_.items.find(was.id);
  if ((at == fold_.items.end() || !at->second.same_intent(was)) && does(Step::queue_look)) return false;
  HOLDFAST_TRY(append(context, {now ? item_line(*now) : gone_line(was.id, iso8601(context.clock->now()))}));
  return true;
}

Result<std::vector<SyncItem>> LogQueue::derive(const Context& context) {
  if (!store_.options().sync) return std::vector<SyncItem>();
  HOLDFAST_LET(lock, lock_records(context, *store_.roots().first()));
  HOLDFAST_TRY(catch_up(context));
  DirectoryFeed feed(context, store_.roots().directories());
  HOLDFAST_LET(derived, derive_queue(context, store_.layout(), map_, feed, fold_));
  std::vector<std::string> lines;
  for (const SyncItem& item : derived.items) lines.push_back(item_line(item));
  HOLDFAST_TRY(append(context, std::move(lines)));
  HOLDFAST_TRY(append(context, std::move(derived.accounts)));
  return std::move(derived.items);
}

}  // namespace holdfast::inline v1
