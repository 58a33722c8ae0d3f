// What the table `session` says of one session, and who its parent is.
#pragma once

#include <holdfast/session.h>

#include <string>

#include "layout/feed.h"

namespace holdfast::inline v1::opencode {

struct SessionRow {
  bool found = false;
  SessionFacts facts;
  std::string reverted_from;    // a message: it and what follows were taken back
  bool reverted_after = false;  // only what follows
};

Result<SessionRow> read_session_row(Feed& feed, const Place& database, const std::string& id);

}  // namespace holdfast::inline v1::opencode
