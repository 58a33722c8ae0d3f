// Records of work that was delegated to other agents: lines of MEMORY.md under
// Delegation Patterns, layer 2 only. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

#include "rules/initiative/layer_draft.h"

namespace holdfast::inline v1 {

struct Delegation {
  std::string project;
  std::string agent, task, outcome;
};
struct RecordedDelegation {
  std::string line;
  LayerOutcome outcome;
};
// Writes "Delegated {task} to {agent}: {outcome}", once. Without MEMORY.md the record is lost, with the warning.
Result<RecordedDelegation> record_delegation(const Context& context, Store& store, const Delegation& delegation);
// Returns the lines, whoever wrote them, in file order.
Result<std::vector<std::string>> list_delegations(const Context& context, Store& store, std::string_view project);

// Writes a learning, a pattern or a preference under a heading of MEMORY.md, once (W02).
Result<LayerOutcome> record_learning(const Context& context, Store& store, std::string_view project,
                                     std::string_view heading, std::string_view text);

}  // namespace holdfast::inline v1
