// Phases of a workflow (APEX, DEBUG, ...): workflow-state.json, which expires after 24
// hours, and the line in MEMORY.md that tells the next session its position (W03, W04),
// written as one commit. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

#include "rules/initiative/layer_draft.h"

namespace holdfast::inline v1 {

struct PhaseStep {
  std::string project;
  std::string workflow;  // APEX, ONESHOT, DEBUG, BRAINSTORM, ...; empty: that of the boundary or of the active workflow
  std::string completed, next;
  std::string context;   // what the workflow is about, in few words; empty: as in the active workflow
  std::string outcome;   // of a terminal phase (git-commit, x-archive); "done" if empty
  std::string learning;  // for MEMORY.md; empty: none
};

struct PhaseResult {
  std::string line;   // as written in MEMORY.md
  std::string state;  // workflow-state.json
  LayerOutcome outcome;
};

// Ends the phase `completed` and begins `next`. If `next` is terminal, the workflow is
// finished: it moves to the history in workflow-state.json and is no longer active in
// MEMORY.md.
Result<PhaseResult> advance_phase(const Context& context, Store& store, const PhaseStep& step);

// Returns {"active": object|null, "expired": bool, "history": [...], "state": the
// file}. An expired workflow is included, but not as active. Writes nothing.
Result<std::string> read_phases(const Context& context, Store& store, std::string_view project);

// Ends a workflow that was not touched for 24 hours: one line in MEMORY.md, an empty
// workflow-state.json. For events that write anyway.
Result<void> end_expired_workflow(LayerDraft& draft);

}  // namespace holdfast::inline v1
