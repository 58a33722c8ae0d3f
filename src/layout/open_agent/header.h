// The header of a session: line 1 of its log, and newer values kept in the side folder
// (decision 12). Format: docs/formats/open-agent.md.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/draft.h>
#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "layout/layout.h"
#include "layout/moment.h"
#include "text/json_value.h"

namespace holdfast::inline v1::open_agent {

// A new header line without secrets. `now_ms` is the time of creation, of the update and, for a fork, of the fork.
Result<std::string> new_header(std::string_view id, const SessionDraft& draft, std::int64_t now_ms);

// The document in the side folder: the folder of the session, and its header (or only
// the keys changed since line 1 was written; null removes a key).
std::string side_document(std::string_view folder, std::string_view header);

// Merges line 1 with the side folder's header, in the key order of line 1. If both have
// a key, the one with the later updatedAt wins; a key that only one has is kept (the
// SDK's own save loses options). Either may be none.
Result<std::string> merged_header(JsonView line, JsonView side);

// `side` with those fields of the patch that differ from `merged`; unchanged if there
// are none.
Result<std::string> patched_side(std::string_view side, JsonView merged, const SessionPatch& patch,
                                 std::int64_t now_ms);

// The facts in a header; the metadata contains no secrets.
SessionFacts facts_of(JsonView header);

std::int64_t epoch_ms(const Moment& moment);

}  // namespace holdfast::inline v1::open_agent
