// Reads and writes session records. Format: docs/formats/maestro.md.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/draft.h>
#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1::maestro {

// A running session in the form of the seed. From the draft's metadata, agent (or harness,
// configHash or config, env) and toolRuns fill the record; other keys are appended.
std::string new_session_file(std::string_view id, const SessionDraft& draft, std::string_view now);

// The facts in the record; everything else goes to the metadata.
SessionFacts session_facts(JsonView record);

// The record with the patch applied. Fails with unsupported for what a record cannot hold.
Result<std::string> patch_session_file(std::string_view bytes, const SessionPatch& patch, std::string_view now);

}  // namespace holdfast::inline v1::maestro
