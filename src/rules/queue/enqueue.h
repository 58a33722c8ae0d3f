// Puts items into a queue with a file an item, in the commit of what they tell
// of: either the record and its item are there after a crash, or neither is.
#pragma once

#include <vector>

#include "index/directory_feed.h"
#include "layout/change.h"
#include "layout/layout.h"
#include "layout/moment.h"
#include "rules/queue/sync_item.h"

namespace holdfast::inline v1 {

// Adds to `changes` an item for each thread, session or message that they
// change, as far as its privacy allows; the items that were added. Nothing for
// a layout whose queue is derived, or that has none.
Result<std::vector<SyncItem>> add_queue_items(const Layout& layout, DirectoryFeed& feed, Changes& changes,
                                              const Moment& moment);

}  // namespace holdfast::inline v1
