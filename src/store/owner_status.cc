#include "store/owner_status.h"

#include <holdfast/lease.h>

#include "store/file_store.h"

namespace holdfast::inline v1 {

bool has_leases(const OpenedRoots& roots, std::string_view root_name) {
  const auto root = roots.root(root_name);
  return root && (*root)->directory().exists((*root)->side("leases"));
}

void show_owner(const OpenedRoots& roots, const SessionRef& ref, Session& session) {
  const auto root = roots.root(ref.place.root);
  if (!root) return;
  const auto lease = look_at_lease(**root, lease_name(ref.id));
  if (!lease || (!lease->alive && !lease->owner)) return;
  if (lease->alive) {
    session.status = Status::running;
  } else if (session.status == Status::active || session.status == Status::running) {
    session.status = Status::interrupted;
  }
}

}  // namespace holdfast::inline v1
