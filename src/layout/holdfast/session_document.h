// session.json of the native layout: what a session is, beside its log.
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
// The first line of the log, for a session whose document is gone or bad.
SessionFacts facts_of_line(JsonView line);
// Back to what created it, for the first line of its log.
SessionDraft draft_from_document(JsonView document);

// Of the session in `folder`; nullopt when it is missing. Its backup for who only
// reads (decision 10); corrupt when what there is is no JSON object.
Result<std::optional<std::string>> read_document(Feed& feed, const std::string& folder);
// For a session whose document is gone: what the first line of its log knows of it.
Result<std::string> document_anew(Feed& feed, const std::string& folder, std::string_view id, const Moment& moment);

}  // namespace holdfast::inline v1::native
