// Phases of a workflow (APEX, DEBUG, ...): workflow-state.json with its life of
// 24 hours, and the line in MEMORY.md that tells the next session where it
// stands (W03, W04), as one commit. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

#include "rules/initiative/layer_draft.h"

namespace holdfast::inline v1 {

struct PhaseStep {
  std::string project;
  std::string workflow;  // APEX, ONESHOT, DEBUG, BRAINSTORM, ...; empty: that of the boundary or of the active one
  std::string completed, next;
  std::string context;   // what the workflow is about, in few words; empty: that of the active one
  std::string outcome;   // of a terminal phase (git-commit, x-archive); "done" when nobody says
  std::string learning;  // for MEMORY.md; empty: none
};

struct PhaseTaken {
  std::string line;   // as it stands in MEMORY.md
  std::string state;  // workflow-state.json
  LayerOutcome outcome;
};

// The phase `completed` is over, `next` begins; with a terminal one the workflow
// is finished, leaves workflow-state.json for its history and no longer looks
// active in MEMORY.md.
Result<PhaseTaken> take_phase(const Context& context, Store& store, const PhaseStep& step);

// {"active": object|null, "expired": bool, "history": [...], "state": the file}. An
// expired one is shown, not as active; nothing is written.
Result<std::string> read_phases(const Context& context, Store& store, std::string_view project);

// Ends a workflow that nobody touched for 24 hours: one line in MEMORY.md, an empty
// workflow-state.json. For events that write anyway.
Result<void> end_expired_workflow(LayerDraft& draft);

}  // namespace holdfast::inline v1
