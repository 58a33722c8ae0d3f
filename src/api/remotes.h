// What sync remembers, opened by a call.
#pragma once

#include <memory>

#include "api/call.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

struct SyncAccess {
  std::unique_ptr<SyncHome> home;
  std::unique_ptr<File> lock;
};

// not_found unless `create`: no remote was ever added. busy while another process syncs.
Result<SyncAccess> open_sync(const Call& call, bool create);

}  // namespace holdfast::inline v1
