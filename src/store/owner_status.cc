#include "store/owner_status.h"

#include <holdfast/lease.h>

#include "store/file_store.h"

namespace holdfast::inline v1 {

bool has_leases(const OpenedRoots& roots, std::string_view root_name) {
  const auto root = roots.root(root_name);
  return root && (*root)->directory().exists((*root)->side("leases"));
}

Status owner_status(const OpenedRoots& roots, const SessionRef& ref, Status status) {
  const auto root = roots.root(ref.place.root);
  if (!root) return status;
  const auto lease = look_at_lease(**root, lease_name(ref.id));
  if (!lease || (!lease->alive && !lease->owner)) return status;
  if (lease->alive) return Status::running;
  return status == Status::active || status == Status::running ? Status::interrupted : status;
}

}  // namespace holdfast::inline v1
