// Combines a session's status with what its owner's process shows. Thread-safety: that of OpenedRoots.
#pragma once

#include <holdfast/session.h>

#include <string_view>

#include "layout/layout.h"
#include "store/opened_roots.h"

namespace holdfast::inline v1 {

// True if owners can change the status of sessions in that root: one of them ever had a lease, or all of them are
// copies.
bool adds_status(const OpenedRoots& roots, std::string_view root);

// Returns archived if only copies are left; running while its owner lives; interrupted if the owner died and the
// session did not end; otherwise `status`.
Status owner_status(const OpenedRoots& roots, const SessionRef& ref, Status status);

}  // namespace holdfast::inline v1
