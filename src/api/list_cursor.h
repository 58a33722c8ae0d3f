// A position in a list of sessions, and rows that come from other machines.
// Thread-safety: plain values, pure functions.
#pragma once

#include <holdfast/error.h>
#include <holdfast/session.h>

#include <string>
#include <string_view>

#include "store/session_rows.h"

namespace holdfast::inline v1 {

// The position after a session in the list; stays valid when other sessions change.
struct ListCursor {
  std::string updated_at = {}, id = {}, store = {};

  std::string text() const;
  // Fails with invalid_argument.
  static Result<ListCursor> parse(std::string_view text);
  // Whether that session comes after this position.
  bool is_before(std::string_view other_updated_at, std::string_view other_id, std::string_view other_store) const;
};

// Adds a row that no store of this machine has, with the status recorded in `session`.
void add_row(SessionRows& rows, Session session);

}  // namespace holdfast::inline v1
