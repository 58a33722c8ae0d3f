// Stores of sessions that only the archive still has, for those who read.
// Lifetime: as the Stores that own it. Thread-safety: any thread.
#pragma once

#include <holdfast/context.h>
#include <holdfast/store.h>

#include <memory>
#include <vector>

#include "archive/captured_files.h"
#include "base/mutex.h"
#include "index/fingerprint.h"

namespace holdfast::inline v1 {

class Stores;

class ArchivedStores {
 public:
  // One for each store of which a session is gone; nothing when there is no archive or it cannot be read.
  std::vector<StoreOptions> look(const Context& context, Stores& stores);
  // Where such a store is to be opened; nullptr: it is none, or nobody has looked.
  FileSystem* files_of(const Stores& stores, const StoreOptions& options);

 private:
  Result<void> renew(const Context& context, const Stores& stores) HOLDFAST_REQUIRES(mutex_);

  Mutex mutex_{LockRank::opening};
  Fingerprint log_ HOLDFAST_GUARDED_BY(mutex_);
  std::unique_ptr<CapturedFiles> files_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::inline v1
