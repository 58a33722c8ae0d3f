// What a layout keeps on the first line of a session's log (decision 12), and
// where the session lies. Layouts without such a line have nothing to do here.
// Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string_view>

namespace holdfast::inline v1 {

enum class HeaderRequest {
  as_it_is,
  without_secrets,  // what an older program stored in clear goes for good (O17)
};

// Writes the header with all its changes to the first line of the log: a new
// file in place of the old, which stays linked in the side folder for those who
// still append to it. A session without messages keeps its header aside.
Result<void> write_header(const Context& context, Store& store, std::string_view id,
                          HeaderRequest request = HeaderRequest::as_it_is);

// Moves a session to the folder of its project (O05); empty: the one that it
// names itself. busy while a living owner has it open. Crash-safe.
Result<void> move_to_project(const Context& context, Store& store, std::string_view id, std::string_view project = {});

}  // namespace holdfast::inline v1
