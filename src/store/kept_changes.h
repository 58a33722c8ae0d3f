// What a store could not write and goes on with in memory (W10, decisions 15
// and 16). Every later change of the store takes it along, so that it is on disk
// with the first one that succeeds; a file that somebody else has changed in the
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

// The medium or its rights are in the way: not a fault of the call.
bool is_unwritable(Code code);

class KeptChanges {
 public:
  // nullptr when nothing is kept.
  std::shared_ptr<const KeptFiles> files() const;

  // Documents of `changes`, planned through `seen`, from now on in memory.
  // unsupported for what is no document.
  Result<void> keep(const Changes& changes, const DirectoryFeed& seen);

  // `changes` and all that is kept beside them; reads the kept ones through
  // `seen`, so that they are only written over what they were made from.
  Result<Changes> along_with(Changes changes, DirectoryFeed& seen) const;

  // `written` is on disk; what was kept since stays.
  void clear(const std::shared_ptr<const KeptFiles>& written);
  // Gives up the kept files whose file on disk is no longer their base; the
  // versions go to the quarantine. The paths that were given up.
  Result<std::vector<std::string>> give_way(const Context& context, const OpenedRoots& roots);

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const KeptFiles> files_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::inline v1
