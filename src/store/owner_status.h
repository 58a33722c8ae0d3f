// What a look at living processes adds to a session's status. Thread-safety: as OpenedRoots.
#pragma once

#include <holdfast/session.h>

#include <string_view>

#include "layout/layout.h"
#include "store/opened_roots.h"

namespace holdfast::inline v1 {

// Whether any session of that root ever had a lease.
bool has_leases(const OpenedRoots& roots, std::string_view root);

// running while its owner lives; interrupted when it died and the session did not
// end; else the status that it is given.
Status owner_status(const OpenedRoots& roots, const SessionRef& ref, Status status);

}  // namespace holdfast::inline v1
