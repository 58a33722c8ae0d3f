// A list of sessions for those who write it down at once: its rows stay packed.
#pragma once

#include <holdfast/store.h>

#include "model/session_view.h"
#include "store/file_store.h"
#include "store/session_rows.h"

namespace holdfast::inline v1 {

// What Store::list looks at, and observed like it. Its skip and limit are the caller's matter.
Result<SessionRows> listed_rows(const Context& context, FileStore& store, const SessionFilter& filter);

// What SessionRow::session makes; `row` may have been used before, and points into the rows.
void view_of(const SessionRow& session, SessionView& row);

}  // namespace holdfast::inline v1
