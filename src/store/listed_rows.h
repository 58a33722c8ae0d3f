// Lists sessions for callers that print the rows immediately: the rows stay packed.
#pragma once

#include <holdfast/store.h>

#include "model/session_view.h"
#include "store/file_store.h"
#include "store/session_rows.h"

namespace holdfast::inline v1 {

// Lists and observes as Store::list does. The caller applies skip and limit.
Result<SessionRows> listed_rows(const Context& context, FileStore& store, const SessionFilter& filter);

// Fills `row` like SessionRow::session does; `row` may be reused, and points into the rows.
void view_of(const SessionRow& session, SessionView& row);

}  // namespace holdfast::inline v1
