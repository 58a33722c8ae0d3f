// session.json of the native layout: facts about a session, beside its log.
#pragma once

#include <holdfast/draft.h>

#include <optional>
#include <string>
#include <string_view>

#include "layout/layout.h"
#include "layout/moment.h"
#include "text/json_value.h"

namespace holdfast::inline v1::native {

std::string new_document(std::string_view id, const SessionDraft& draft, std::string_view now);
SessionFacts facts_of(JsonView document);
// From the first line of the log, for a session whose document is missing or damaged.
SessionFacts facts_of_line(JsonView line);
// The draft that created the session, for the first line of its log.
SessionDraft draft_from_document(JsonView document);

// The document of the session in `folder`; nullopt if missing. Readers may get its
// backup (decision 10). Fails with corrupt if the content is not a JSON object.
Result<std::optional<std::string>> read_document(Feed& feed, const std::string& folder);
// A new document for a session whose document is missing, made from the first line of its log.
Result<std::string> rebuild_document(Feed& feed, const std::string& folder, std::string_view id, const Moment& moment);

}  // namespace holdfast::inline v1::native
