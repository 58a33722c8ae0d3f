// What sync remembers, opened by a call.
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

// not_found unless `create`: no remote was ever added. busy while another process syncs, which is waited for a few
// seconds.
Result<SyncAccess> open_sync(const Call& call, bool create);

// The remote of that name, or all of them for "", only looked at. not_found: there is none.
Result<std::vector<RemoteSettings>> remotes_meant(const Call& call, std::string_view name);

// What a dry run of sync.run and sync.watch says; it fails where the real one would.
Result<std::string> would_sync(Call& call);
// The same of remote.* too; nullptr: nothing of its own.
Handler remote_dry_run(std::string_view method);

}  // namespace holdfast::inline v1
