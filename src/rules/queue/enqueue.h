// Adds items to a queue that has one file per item, in the same commit as the change:
// after a crash, either both the record and its item exist, or neither does.
#pragma once

#include <vector>

#include "index/directory_feed.h"
#include "layout/change.h"
#include "layout/layout.h"
#include "layout/moment.h"
#include "rules/queue/sync_item.h"

namespace holdfast::inline v1 {

// Adds an item to `changes` for each thread, session or message that they change,
// unless it is local only; returns the added items. Does nothing for a layout whose
// queue is derived, or that has none.
Result<std::vector<SyncItem>> add_queue_items(const Layout& layout, DirectoryFeed& feed, Changes& changes,
                                              const Moment& moment);

}  // namespace holdfast::inline v1
