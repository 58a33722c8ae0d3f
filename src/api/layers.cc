#include "api/layers.h"

#include <algorithm>

#include "api/records.h"
#include "rules/initiative/layer_draft.h"

namespace holdfast::inline v1 {

Result<void> check_remembered(const LayerOutcome& outcome) {
  if (std::ranges::find(outcome.warnings, kMemoryUnavailable) == outcome.warnings.end()) return {};
  return fail(Code::storage_unavailable, std::string(kMemoryUnavailable) + ": MEMORY.md cannot be written");
}

void write_outcome(JsonWriter& json, const LayerOutcome& outcome) {
  json.key("persisted").boolean(outcome.persisted);
  json.key("warnings").strings(outcome.warnings);
}

InitiativeEvent event_of(const Call& call) {
  InitiativeEvent event;
  event.project = call.project();
  event.revision = call.text("revision");
  event.next_action = call.maybe_text("next_action");
  event.learning = call.text("learning");
  return event;
}

Parameter layer_project_parameter() {
  return {.name = "project", .help = "directory of the project, where a store has many", .path = true};
}

Parameter learning_parameter() { return {.name = "learning", .help = "a line for MEMORY.md, written with the event"}; }

std::vector<Parameter> with_event_parameters(std::vector<Parameter> own) {
  own.push_back(layer_project_parameter());
  own.push_back(
      {.name = "revision", .help = "fail unless the initiative still has this revision; see `initiative.get`"});
  own.push_back({.name = "next_action", .help = "what to do next, for whoever resumes"});
  own.push_back(learning_parameter());
  return own;
}

}  // namespace holdfast::inline v1
