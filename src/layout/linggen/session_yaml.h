// session.yaml, and the title that a session gets. Format: docs/formats/linggen.md.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/draft.h>
#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1::linggen {

// Of a session that has no prompt yet.
inline constexpr std::string_view kNoTitle = "New Chat";

// The first six words; 47 characters and "..." when they are more than 50;
// "..." when there are more words; kNoTitle when there is none.
std::string auto_title(std::string_view prompt);

// The seed's three keys, then what else the draft says, in the names that later
// Linggen versions use.
Result<std::string> new_session_yaml(std::string_view id, const SessionDraft& draft, std::int64_t created_at,
                                     bool with_project);

// What session.yaml says, as read by yaml_to_json.
SessionFacts facts_of(JsonView yaml);

}  // namespace holdfast::inline v1::linggen
