#include "store/forget_backup.h"

#include "disk/staged.h"

namespace holdfast::inline v1 {

Result<void> forget_version_before(const Context& context, Root& root, std::string_view path) {
  HOLDFAST_LET(lock, root.lock(context));
  if (root.directory().exists(path)) return keep_backup(root, path);
  auto removed = root.directory().remove(backup_path(root, path));
  if (!removed && removed.error().code == Code::not_found) return {};
  return removed;
}

}  // namespace holdfast::inline v1
