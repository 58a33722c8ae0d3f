// The header that a layout keeps on the first line of a session's log (decision
// 12), and the session's location. Does nothing for layouts without such a line.
// Thread-safety: that of Store.
#pragma once

#include <holdfast/store.h>

#include <string_view>

#include "store/owner_claim.h"

namespace holdfast::inline v1 {

enum class HeaderRequest {
  as_it_is,
  without_secrets,  // permanently removes what an older program stored in clear text (O17)
};

// Writes the header with all its changes to the first line of the log: a new file
// replaces the old one, which stays linked in the side folder for programs that still
// append to it. The header of a session without messages stays in its separate file.
Result<void> write_header(const Context& context, Store& store, std::string_view id,
                          HeaderRequest request = HeaderRequest::as_it_is);

// Moves a session to the folder of its project (O05); if `project` is empty, of the project
// that the session itself names. Fails with busy while a living owner other than the one that
// `claim` describes has it open. Writers that have it open must be closed afterwards. Crash-safe.
Result<void> move_to_project(const Context& context, Store& store, std::string_view id, std::string_view project = {},
                             const OwnerClaim& claim = {});

}  // namespace holdfast::inline v1
