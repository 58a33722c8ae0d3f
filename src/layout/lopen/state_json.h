// Validates, reads and creates state.json and metrics.json. Format:
// docs/formats/lopen.md. Thread-safety: pure functions.
#pragma once

#include <holdfast/draft.h>
#include <holdfast/error.h>

#include <chrono>
#include <string>
#include <string_view>

#include "layout/lopen/paths.h"
#include "text/json_object.h"

namespace holdfast::inline v1::lopen {

// Lopen's own names for the start of a session.
inline constexpr std::string_view kFirstPhase = "req-gathering";
inline constexpr std::string_view kFirstStep = "draft-spec";

// Fails with corrupt, saying what is wrong: not JSON, a required key missing, or a value of the wrong kind.
Result<JsonObject> check_state(std::string_view bytes);
Result<void> check_metrics(std::string_view bytes);
// Whether the document is the literal `null`, which counts as missing.
bool is_null_document(std::string_view bytes);

SessionFacts facts_of_state(const JsonObject& state);

// One line without a newline, with the keys in Lopen's order. Uses only the metadata of `draft`:
// module, component, phase, step, models_used, project, resources, task_hierarchy. Fails with
// invalid_argument, naming a key that no session holds (L23).
Result<std::string> new_state(const SessionName& name, const SessionDraft& draft,
                              std::chrono::system_clock::time_point now);

}  // namespace holdfast::inline v1::lopen
