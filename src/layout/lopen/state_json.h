// state.json and metrics.json: what is one, what it says, a new one. Format:
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

// Lopen's own words for where a session begins.
inline constexpr std::string_view kFirstPhase = "req-gathering";
inline constexpr std::string_view kFirstStep = "draft-spec";

// The state when it is whole. corrupt says what is wrong: no JSON, a required key missing, a value of the wrong kind.
Result<JsonObject> check_state(std::string_view bytes);
Result<void> check_metrics(std::string_view bytes);
// The literal `null`: as good as no file.
bool is_null_document(std::string_view bytes);

SessionFacts facts_of_state(const JsonObject& state);

// One line without a newline, the keys in Lopen's order. Of `draft` only the
// metadata is looked at: module, component, phase, step, models_used, project,
// resources, task_hierarchy. invalid_argument names a key that no session holds (L23).
Result<std::string> new_state(const SessionName& name, const SessionDraft& draft,
                              std::chrono::system_clock::time_point now);

}  // namespace holdfast::inline v1::lopen
