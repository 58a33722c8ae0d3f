// The order of a list of sessions: the place behind one of them, and rows that come from elsewhere.
// Thread-safety: plain values, pure functions.
#pragma once

#include <holdfast/error.h>
#include <holdfast/session.h>

#include <string>
#include <string_view>

#include "store/session_rows.h"

namespace holdfast::inline v1 {

// The place behind a session in the list, whatever was said in others since.
struct ListCursor {
  std::string updated_at = {}, id = {}, store = {};

  std::string text() const;
  // invalid_argument.
  static Result<ListCursor> parse(std::string_view text);
  // Whether that session stands behind it.
  bool is_before(std::string_view other_updated_at, std::string_view other_id, std::string_view other_store) const;
};

// A row that no store of this machine has, with the status that it says.
void add_row(SessionRows& rows, Session session);

}  // namespace holdfast::inline v1
