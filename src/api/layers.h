// Answers of the operations on two-layer workflows, and what they all take.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "rules/initiative/initiative.h"

namespace holdfast::inline v1 {

// "persisted" and "warnings" of an event.
void write_outcome(JsonWriter& json, const LayerOutcome& outcome);
// Of an event that is nothing but a line of MEMORY.md: where that was not kept, nothing was (decision 15).
Result<void> check_remembered(const LayerOutcome& outcome);
void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts);

// project, revision, next_action, learning.
InitiativeEvent event_of(const Call& call);
std::vector<Parameter> with_event_parameters(std::vector<Parameter> own);
Parameter layer_project_parameter();
Parameter learning_parameter();

}  // namespace holdfast::inline v1
