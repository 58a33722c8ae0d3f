// Read-only stores of sessions that only the archive still has, or that can only be read there.
// Lifetime: that of the Stores that own it. Thread-safety: any thread.
#pragma once

#include <holdfast/context.h>
#include <holdfast/store.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "archive/captured_files.h"
#include "base/mutex.h"
#include "index/fingerprint.h"

namespace holdfast::inline v1 {

class Stores;

class ArchivedStores {
 public:
  // Returns one for each store that has lost a session, or has one that cannot be read; none if there is no archive, or
  // if error() says why it cannot be read. If `wanted` is not empty, only looks for sessions whose names contain it,
  // and those of their projects.
  std::vector<StoreOptions> look(const Context& context, Stores& stores, std::string_view wanted = {});
  // Why the last look() could not read the archive.
  std::optional<Error> error() const;
  // The file system in which to open such a store; nullptr for other stores, or before the first look().
  FileSystem* files_of(const Stores& stores, const StoreOptions& options);

 private:
  Result<void> renew(const Context& context, const Stores& stores, std::string_view wanted) HOLDFAST_REQUIRES(mutex_);

  mutable Mutex mutex_{LockRank::opening};
  Fingerprint log_ HOLDFAST_GUARDED_BY(mutex_);
  std::unique_ptr<CapturedFiles> files_ HOLDFAST_GUARDED_BY(mutex_);
  bool is_part_ HOLDFAST_GUARDED_BY(mutex_) = false;  // files_ may lack sessions
  std::optional<Error> error_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::inline v1
