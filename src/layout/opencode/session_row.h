// What the table `session` says of one session, and who its parent is.
#pragma once

#include <holdfast/session.h>

#include <string>

#include "layout/feed.h"
#include "text/json_value.h"

namespace holdfast::inline v1::opencode {

struct SessionRow {
  bool found = false;
  bool lost = false;  // not found, and damage may hide it
  SessionFacts facts;
  std::string reverted_from;    // a message: it and what follows were taken back
  bool reverted_after = false;  // only what follows
};

// The same of a row by names of columns; who its parent is shows only beside the others.
SessionRow session_row_of(JsonView row);
Result<SessionRow> read_session_row(Feed& feed, const Place& database, const std::string& id);

}  // namespace holdfast::inline v1::opencode
