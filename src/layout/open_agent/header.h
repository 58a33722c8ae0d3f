// The header of a session: line 1 of its log, and what the side folder holds of
// it meanwhile (decision 12). Format: docs/formats/open-agent.md.
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

// A new header line, without secrets. `now`: created, updated and, for a fork, forked.
Result<std::string> new_header(std::string_view id, const SessionDraft& draft, std::int64_t now_ms);

// The document in the side folder: where the session lies, and its header (or
// only the keys that were changed since line 1 was written; null removes one).
std::string side_document(std::string_view folder, std::string_view header);

// Line 1 and the side folder's header as one, in the key order of line 1. Of a
// key that both have, the one with the later updatedAt counts; a key that only
// one has is kept (the SDK's own save loses options). Either may be none.
Result<std::string> merged_header(JsonView line, JsonView side);

// `side` with the patch's fields set, as far as `merged` says otherwise; the
// same bytes when nothing changes.
Result<std::string> patched_side(std::string_view side, JsonView merged, const SessionPatch& patch,
                                 std::int64_t now_ms);

// What a header says; secrets are left out of the metadata.
SessionFacts facts_of(JsonView header);

std::int64_t epoch_ms(const Moment& moment);

}  // namespace holdfast::inline v1::open_agent
