// One exchange with a remote, as sync.run and sync.watch do it.
#pragma once

#include <memory>
#include <vector>

#include "api/call.h"
#include "archive/archive.h"
#include "sync/pull.h"
#include "sync/run_sync.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// Which sessions of others are to come here with everything that was said: all, those of the last days (30d), or of a
// project; empty where nobody asked.
Result<WantSession> fetch_wish(const Call& call);

// nullptr: there is none.
Result<std::unique_ptr<Archive>> local_archive(const Call& call);

struct SyncRound {
  SyncReport report = {};
  std::uint64_t fetched = 0;  // sessions that came whole

  std::vector<Finding> findings() const;
};
// What was done before it failed is in `round` too. The home is locked.
Result<void> sync_one(const Call& call, const SyncHome& home, RemoteSettings& settings, Archive* local,
                      const WantSession& wish, SyncRound& round);

// `sent`, `received`, and `new_machines` and `already_read_by` where there are any.
void write_round(JsonWriter& json, const SyncRound& round);

Operation watch_sync_operation();

}  // namespace holdfast::inline v1
