// sessions-index.json: derived, never trusted (O06, O07). Two forms are known: the
// SDK's {projectPath, sessions[]} and Claude Code's {version, entries[]}; a file keeps
// its form. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>
#include <holdfast/session.h>

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1::open_agent {

// The entries by session id, as written; empty if the file is damaged.
std::map<std::string, std::string, std::less<>> index_entries(std::string_view bytes);

// Facts that an entry may have and a header may not: summary, branch, real path, time of creation.
SessionFacts facts_of_entry(JsonView entry);

// The file with one entry for each row: old entries in place, with all keys that are
// not ours, and new ones at the end. An entry without a row is removed if its session
// is gone; otherwise another program has just added it, and it stays.
Result<std::string> written_index(std::string_view old, std::span<const Session> rows, std::int64_t now_ms,
                                  const std::function<bool(std::string_view id)>& exists);

}  // namespace holdfast::inline v1::open_agent
