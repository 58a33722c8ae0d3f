// session.yaml, and the title that a session gets. Format: docs/formats/linggen.md.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/draft.h>
#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1::linggen {

// The title of a session without a prompt.
inline constexpr std::string_view kNoTitle = "New Chat";

// The first six words, followed by "..." if there are more; 47 characters and "..." if
// they are longer than 50; kNoTitle if there are none.
std::string auto_title(std::string_view prompt);

// The seed's three keys, then the other members of the draft, under the names that
// later versions of Linggen use.
Result<std::string> new_session_yaml(std::string_view id, const SessionDraft& draft, std::int64_t created_at,
                                     bool with_project);

// The facts in session.yaml, converted by yaml_to_json.
SessionFacts facts_of(JsonView yaml);

}  // namespace holdfast::inline v1::linggen
