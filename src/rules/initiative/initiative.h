// Initiatives: work over several milestones whose state survives sessions. The
// events of the seed's sync table, each one commit over initiative.json,
// WORKFLOW-STATUS.yaml and MEMORY.md. Durable (power) when it returns, unless the
// answer says that it is in memory only. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/initiative.h"
#include "rules/initiative/layer_draft.h"

namespace holdfast::inline v1 {

// What an event answers.
struct InitiativeState {
  Initiative initiative;  // as it is now
  std::string revision;   // of initiative.json: pass it with the next event to be sure of what it is based on
  LayerOutcome outcome;
};

// What all events take.
struct InitiativeEvent {
  std::string project;   // for stores of many projects
  std::string revision;  // conflict unless initiative.json still has it; empty: whatever is there
  std::optional<std::string> next_action;
  std::string learning;  // kept in MEMORY.md with the event; empty: none
};

struct InitiativeStart {
  std::string name;                     // a plain file name
  std::vector<std::string> milestones;  // "M1", "M2", ...
  bool force = false;                   // in place of one that is under way, or completed and not archived
};

// Status created, every milestone pending; a WORKFLOW-STATUS.yaml is made.
// already_exists while another one is under way, or completed and not archived.
Result<InitiativeState> create_initiative(const Context& context, Store& store, const InitiativeStart& start,
                                          const InitiativeEvent& event = {});
// Milestone started: initiative.json and WORKFLOW-STATUS.yaml. A created initiative is in_progress with it.
Result<InitiativeState> start_milestone(const Context& context, Store& store, std::string_view milestone,
                                        const InitiativeEvent& event = {});
// Task completed: initiative.json only.
Result<InitiativeState> complete_task(const Context& context, Store& store, std::string_view task,
                                      const InitiativeEvent& event = {});
// Milestone completed: a checkpoint; the next one (that of the list unless it is
// named) becomes the current one in initiative.json and WORKFLOW-STATUS.yaml. A milestone that is completed already
// stays as it is, unless there are notes or a next one.
struct MilestoneDone {
  std::string milestone;  // empty: the current one
  std::string next, notes;
};
Result<InitiativeState> complete_milestone(const Context& context, Store& store, const MilestoneDone& done,
                                           const InitiativeEvent& event = {});
// Status change: both, when check_status_step lets it. The same status is nothing.
Result<InitiativeState> set_initiative_status(const Context& context, Store& store, std::string_view status,
                                              const InitiativeEvent& event = {});
// Any other fields of the record; status goes through its machine.
Result<InitiativeState> update_initiative(const Context& context, Store& store, std::string_view fields_json,
                                          const InitiativeEvent& event = {});

// Of a draft; not_found when there is none; conflict when `revision` is another one.
Result<Initiative> current_initiative(LayerDraft& draft, std::string_view revision);

}  // namespace holdfast::inline v1
