#include "rules/initiative/delegation.h"

#include "rules/initiative/memory_lines.h"
#include "text/one_line.h"

namespace holdfast::inline v1 {

Result<LayerOutcome> record_learning(const Context& context, Store& store, std::string_view project,
                                     std::string_view heading, std::string_view text) {
  const std::string line = on_one_line(text), under = on_one_line(heading);
  if (line.empty() || under.empty()) return fail(Code::invalid_argument, "a learning needs a text and a heading");
  HOLDFAST_LET(outcome, write_layers(context, store, project, [&](LayerDraft& draft) {
                 return draft.remember([&](std::string_view memory) { return with_line(memory, under, line); });
               }));
  if (!outcome.warnings.empty()) outcome.persisted = false;  // there is nothing else to write
  return outcome;
}

Result<RecordedDelegation> record_delegation(const Context& context, Store& store, const Delegation& delegation) {
  if (delegation.agent.empty() || delegation.task.empty())
    return fail(Code::invalid_argument, "a delegation needs an agent and a task");
  RecordedDelegation kept;
  kept.line = "Delegated " + on_one_line(delegation.task) + " to " + on_one_line(delegation.agent);
  if (!delegation.outcome.empty()) kept.line += ": " + on_one_line(delegation.outcome);
  HOLDFAST_LET(outcome, record_learning(context, store, delegation.project, kDelegationPatterns, kept.line));
  kept.outcome = std::move(outcome);
  return kept;
}

Result<std::vector<std::string>> list_delegations(const Context& context, Store& store, std::string_view project) {
  std::vector<std::string> lines;
  HOLDFAST_TRY(read_layers(context, store, project, [&](LayerDraft& draft) -> Result<void> {
    lines = lines_under(draft.memory().value_or(""), kDelegationPatterns);
    return {};
  }));
  return lines;
}

}  // namespace holdfast::inline v1
