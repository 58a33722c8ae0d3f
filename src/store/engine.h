// For the rules in this room that need more than the public Store: its roots,
// layout and planner.
#pragma once

#include "store/file_store.h"

namespace holdfast::inline v1 {

// Fails with unsupported for a Store that is not kept in files.
inline Result<FileStore*> engine_of(Store& store) {
  if (auto* files = dynamic_cast<FileStore*>(&store)) return files;
  return fail(Code::unsupported, "this store is not kept in files", store.name());
}

}  // namespace holdfast::inline v1
