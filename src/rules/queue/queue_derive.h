// Finds what a derived queue lacks: everything that is recorded, may be sent, and is
// not covered yet. Exact after a crash at any point, because it looks at the records
// and not at who wrote them; an append never waits for it.
#pragma once

#include <holdfast/context.h>

#include <set>
#include <string>
#include <vector>

#include "layout/layout.h"
#include "rules/queue/queue_fold.h"

namespace holdfast::inline v1 {

struct Derived {
  std::vector<SyncItem> items;  // to be queued
  // Lines that account for the items. Write them only once the items are durable: a
  // crash may keep the end of a write and lose its beginning.
  std::vector<std::string> accounts;
  std::set<std::string, std::less<>> withheld;  // queued sessions that are now local only
};

Result<Derived> derive_queue(const Context& context, const Layout& layout, const SyncMap& map, Feed& feed,
                             const QueueFold& known);

}  // namespace holdfast::inline v1
