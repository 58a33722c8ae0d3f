#include "store/listed_rows.h"

#include "index/row_view.h"
#include "store/observed.h"

namespace holdfast::inline v1 {

Result<SessionRows> listed_rows(const Context& context, FileStore& store, const SessionFilter& filter) {
  auto rows = observed_read(context, store.observer(), {"list"}, [&] { return store.rows(context, filter); });
  if (rows) note_unread(context, store.observer(), {"list"}, rows->findings);
  return rows;
}

void view_of(const SessionRow& session, SessionView& row) {
  view_row(session.head.packed, row);
  row.id = session.head.row.id;
  row.status = session.status;
  if (session.has_parent && !row.parent) row.parent = ParentView{{}, session.parent_kind, {}};
  if (session.has_parent) row.parent->id = session.parent_id;
}

}  // namespace holdfast::inline v1
