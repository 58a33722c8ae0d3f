// Opens the state of sync for a call.
#pragma once

#include <memory>
#include <vector>

#include "api/call.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

struct SyncAccess {
  std::unique_ptr<SyncHome> home;
  std::unique_ptr<File> lock;
};

// Without `create`, fails with not_found if no remote was ever added. Waits a few seconds for another process that
// syncs, then fails with busy.
Result<SyncAccess> open_sync(const Call& call, bool create);

// Returns the remote of that name, or all of them for "", without locking. Fails with not_found if there is none.
Result<std::vector<RemoteSettings>> requested_remotes(const Call& call, std::string_view name);

// The dry run of sync.run and sync.watch; fails if the real call would.
Result<std::string> would_sync(Call& call);
// The handler of a dry run, also for remote.*; nullptr if the method has no specific one.
Handler remote_dry_run(std::string_view method);

}  // namespace holdfast::inline v1
