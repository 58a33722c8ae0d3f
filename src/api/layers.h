// Answers and common parameters of the operations on two-layer workflows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "rules/initiative/initiative.h"

namespace holdfast::inline v1 {

// Writes "persisted" and "warnings" of an event.
void write_outcome(JsonWriter& json, const LayerOutcome& outcome);
// For an event that is only a line of MEMORY.md: fails if the line was not kept (decision 15).
Result<void> check_remembered(const LayerOutcome& outcome);

// Reads project, revision, next_action and learning.
InitiativeEvent event_of(const Call& call);
std::vector<Parameter> with_event_parameters(std::vector<Parameter> own);
Parameter layer_project_parameter();
Parameter learning_parameter();

}  // namespace holdfast::inline v1
