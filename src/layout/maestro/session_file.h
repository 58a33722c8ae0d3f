// Session records, both ways. Format: docs/formats/maestro.md.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/draft.h>
#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1::maestro {

// A running session in the seed's shape. Of the draft's metadata, agent (or
// harness, configHash or config, env) and toolRuns fill the record; other keys follow it.
std::string new_session_file(std::string_view id, const SessionDraft& draft, std::string_view now);

// What the record says, and everything else of it in the metadata.
SessionFacts session_facts(JsonView record);

// The record with the patch; unsupported for what it cannot hold.
Result<std::string> patch_session_file(std::string_view bytes, const SessionPatch& patch, std::string_view now);

}  // namespace holdfast::inline v1::maestro
