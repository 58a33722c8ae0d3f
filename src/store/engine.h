// For features that need more of a store than the public Store: its roots, layout and planner. Every Store is a
// FileStore; only this file relies on that (docs/adr/0011-features-reach-the-engine.md).
#pragma once

#include "store/file_store.h"

namespace holdfast::inline v1 {

// Returns nullptr for a Store that is not kept in files.
inline FileStore* engine_or_null(Store& store) { return dynamic_cast<FileStore*>(&store); }

// Fails with unsupported for a Store that is not kept in files.
inline Result<FileStore*> engine_of(Store& store) {
  if (auto* files = engine_or_null(store)) return files;
  return fail(Code::unsupported, "this store is not kept in files", store.name());
}

}  // namespace holdfast::inline v1
