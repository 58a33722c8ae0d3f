// Initiatives: work over several milestones whose state survives sessions. Each event
// of the seed's sync table is one commit over initiative.json, WORKFLOW-STATUS.yaml and
// MEMORY.md. Durable (power) on return, unless the outcome says that it is in memory
// only. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/initiative.h"
#include "rules/initiative/layer_draft.h"

namespace holdfast::inline v1 {

// The result of an event.
struct InitiativeState {
  Initiative initiative;  // after the event
  std::string revision;   // of initiative.json: pass it with the next event to detect changes in between
  LayerOutcome outcome;
};

// Parameters of all events.
struct InitiativeEvent {
  std::string project;   // for stores with many projects
  std::string revision;  // conflict unless initiative.json still has it; empty: any
  std::optional<std::string> next_action;
  std::string learning;  // written to MEMORY.md with the event; empty: none
};

struct InitiativeStart {
  std::string name;                     // a plain file name
  std::vector<std::string> milestones;  // "M1", "M2", ...
  bool force = false;                   // replace one that is under way, or completed and not archived
};

// Creates an initiative with status created and every milestone pending, and WORKFLOW-STATUS.yaml.
// Fails with already_exists while another one is under way, or completed and not archived.
Result<InitiativeState> create_initiative(const Context& context, Store& store, const InitiativeStart& start,
                                          const InitiativeEvent& event = {});
// Milestone started: writes initiative.json and WORKFLOW-STATUS.yaml. A created initiative becomes in_progress.
Result<InitiativeState> start_milestone(const Context& context, Store& store, std::string_view milestone,
                                        const InitiativeEvent& event = {});
// Task completed: writes initiative.json only.
Result<InitiativeState> complete_task(const Context& context, Store& store, std::string_view task,
                                      const InitiativeEvent& event = {});
// Milestone completed: a checkpoint; the next milestone (the next of the list unless named) becomes the current one
// in initiative.json and WORKFLOW-STATUS.yaml. If the milestone was completed already, nothing changes unless there
// are notes or a next one.
struct MilestoneCompletion {
  std::string milestone;  // empty: the current one
  std::string next, notes;
};
Result<InitiativeState> complete_milestone(const Context& context, Store& store, const MilestoneCompletion& done,
                                           const InitiativeEvent& event = {});
// Status change: writes both files if check_status_step allows it. Setting the same status does nothing.
Result<InitiativeState> set_initiative_status(const Context& context, Store& store, std::string_view status,
                                              const InitiativeEvent& event = {});
// Changes any other fields of the record; status must follow check_status_step.
Result<InitiativeState> update_initiative(const Context& context, Store& store, std::string_view fields_json,
                                          const InitiativeEvent& event = {});

// Returns the initiative in a draft; fails with not_found if there is none, with conflict if its revision is not
// `revision`.
Result<Initiative> current_initiative(LayerDraft& draft, std::string_view revision);

}  // namespace holdfast::inline v1
