// Folders that Holdfast chose itself: the archive, the state of sync, notes.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <cerrno>
#include <utility>

namespace holdfast::inline v1 {

// The result of opening such a folder. Something else in its place is not a mistake of the caller, who named no folder.
template <typename Opened>
Result<Opened> own_folder(Result<Opened> opened) {
  if (opened) return opened;
  const bool leads_nowhere = opened.error().code == Code::not_found && opened.error().os_error == ELOOP;
  if (!leads_nowhere && opened.error().os_error != ENOTDIR) return opened;
  Error error = std::move(opened).error();
  error.code = Code::storage_unavailable;
  error.message +=
      leads_nowhere ? "; is its disk mounted?" : "; something else is in the place of this folder or of one above it";
  return fail(std::move(error));
}

}  // namespace holdfast::inline v1
