// Changes that a store could not write and keeps in memory (W10, decisions 15
// and 16). Every later change of the store includes them, so they are written
// with the first one that succeeds. A file that somebody else has changed in the
// meantime stays as it is, and the kept version goes to the quarantine.
// Thread-safety: any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "index/directory_feed.h"
#include "layout/change.h"
#include "store/opened_roots.h"

namespace holdfast::inline v1 {

// True if the medium or its permissions are at fault, not the call.
bool is_unwritable(Code code);

class UnwrittenChanges {
 public:
  // nullptr if nothing is kept.
  std::shared_ptr<const UnwrittenFiles> files() const;

  // Keeps the documents of `changes`, planned through `seen`, in memory from
  // now on. Fails with unsupported for anything that is not a document.
  Result<void> keep(const Changes& changes, const DirectoryFeed& seen);

  // Returns `changes` together with everything that is kept. Reads the kept files
  // through `seen`, so they only overwrite the versions they were made from.
  Result<Changes> include_unwritten(Changes changes, DirectoryFeed& seen) const;

  // Drops `written`, which is on disk now; changes kept since then stay.
  void clear(const std::shared_ptr<const UnwrittenFiles>& written);
  // Drops the kept files whose version on disk is no longer their base, and
  // moves them to the quarantine. Returns the paths dropped.
  Result<std::vector<std::string>> give_way(const Context& context, const OpenedRoots& roots);

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const UnwrittenFiles> files_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::inline v1
