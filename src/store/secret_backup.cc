#include "store/secret_backup.h"

#include "disk/staged.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {

Result<void> refresh_secret_backup(const Context& context, Root& root, std::string_view path) {
  HOLDFAST_LET(lock, root.lock(context));
  const std::string backup = backup_path(root, path);
  auto gone = root.directory().exists(path) ? keep_backup(root, path) : root.directory().remove(backup);
  if (!gone && gone.error().code != Code::not_found) return gone;
  // Also if it is already gone: whoever removed it may have died before syncing.
  if (!does(Step::backup_forgotten) || !root.directory().exists(root.side("backup"))) return {};
  return root.sync_name(backup);
}

}  // namespace holdfast::inline v1
