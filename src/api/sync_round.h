// One exchange with a remote, for sync.run and sync.watch.
#pragma once

#include <memory>
#include <vector>

#include "api/call.h"
#include "archive/archive.h"
#include "sync/pull.h"
#include "sync/run_sync.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// Which sessions of other machines to fetch with all their bytes: all, those of the last days (30d), or of a project;
// empty if the call requests none.
Result<WantSession> fetch_filter(const Call& call);

// nullptr if there is no archive.
Result<std::unique_ptr<Archive>> local_archive(const Call& call);

struct SyncRound {
  SyncReport report = {};
  std::uint64_t fetched = 0;                 // sessions fetched with all their bytes
  std::string_view kept_after_erasure = {};  // where erased bytes may still be at this remote

  std::vector<Finding> findings() const;
  bool has_received() const;  // anything that people are told about, and only once
};
// After a failure, `round` still contains what was done before. The caller must hold the lock of the home.
Result<void> sync_one(const Call& call, const SyncHome& home, RemoteSettings& settings, Archive* local,
                      const WantSession& wants, SyncRound& round);

// Writes `sent`, `received`, and `new_machines` and `already_read_by` if there are any; after an erasure
// `out_of_reach`.
void write_round(JsonWriter& json, const SyncRound& round);

Operation watch_sync_operation();

}  // namespace holdfast::inline v1
