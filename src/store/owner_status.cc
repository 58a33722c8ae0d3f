#include "store/owner_status.h"

#include <holdfast/lease.h>

#include "disk/copies.h"
#include "model/archived_status.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

bool adds_status(const OpenedRoots& roots, std::string_view root_name) {
  const auto root = roots.root(root_name);
  if (root && holds_copies((*root)->file_system())) return true;
  return root && (*root)->directory().exists((*root)->side("leases"));
}

Status owner_status(const OpenedRoots& roots, const SessionRef& ref, Status status) {
  const auto root = roots.root(ref.place.root);
  if (!root) return status;
  if (holds_copies((*root)->file_system())) return kArchivedStatus;
  const auto lease = look_at_lease(**root, lease_name(ref.id));
  if (!lease || (!lease->alive && !lease->owner)) return status;
  if (lease->alive) return Status::running;
  return status == Status::active || status == Status::running ? Status::interrupted : status;
}

}  // namespace holdfast::inline v1
