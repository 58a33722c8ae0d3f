// What the table `session` records about one session, including its parent.
#pragma once

#include <holdfast/session.h>

#include <array>
#include <string>
#include <string_view>

#include "layout/feed.h"
#include "text/json_value.h"

namespace holdfast::inline v1::opencode {

// What every version has; for check_tables.
inline constexpr std::array<std::string_view, 3> kTables = {"session", "message", "part"};

struct SessionRow {
  bool found = false;
  bool lost = false;        // not found, but damage may hide it
  std::string past_damage;  // all of it was read despite this damage, but not by the indexes; empty if there is none
  SessionFacts facts;
  std::string reverted_from;    // a message: it and everything after it were reverted
  bool reverted_after = false;  // only what follows it was reverted
};

// The same for a row as JSON by column names; the parent of a fork shows only in other rows.
SessionRow session_row_of(JsonView row);
// Reports what damage hides, except for a lost row: the caller reports that, and `past_damage`.
Result<SessionRow> read_session_row(Feed& feed, const Place& database, const std::string& id);

}  // namespace holdfast::inline v1::opencode
