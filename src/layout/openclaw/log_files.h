// Sessions of versions before the database: agents/AGENT/sessions/ID.jsonl, with pi's
// entries, and sessions.json, which has the current session of each conversation.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "layout/layout.h"

namespace holdfast::inline v1::openclaw {

bool is_log_file(const Place& place);

// Returns false if the caller wants no more.
Result<bool> list_log_files(Feed& feed, const std::function<bool(SessionRef)>& take);
Result<std::optional<SessionRef>> locate_log_file(Feed& feed, std::string_view id);

// The facts in sessions.json about the session: its name, and what started it.
Result<SessionFacts> read_log_facts(Feed& feed, const SessionRef& ref);

}  // namespace holdfast::inline v1::openclaw
