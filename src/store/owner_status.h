// What a look at living processes adds to a session's status. Thread-safety: as OpenedRoots.
#pragma once

#include <holdfast/session.h>

#include <string_view>

#include "layout/layout.h"
#include "store/opened_roots.h"

namespace holdfast::inline v1 {

// Whether it adds anything to sessions of that root: any of them ever had a lease, or all of them are copies.
bool adds_status(const OpenedRoots& roots, std::string_view root);

// archived where only copies are left; running while its owner lives; interrupted when it died and the session did not
// end; else the status that it is given.
Status owner_status(const OpenedRoots& roots, const SessionRef& ref, Status status);

}  // namespace holdfast::inline v1
