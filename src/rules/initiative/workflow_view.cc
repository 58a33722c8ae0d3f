#include "rules/initiative/workflow_view.h"

#include "base/error_words.h"
#include "rules/initiative/interview.h"
#include "rules/initiative/memory_lines.h"
#include "rules/initiative/phases.h"
#include "rules/initiative/two_layer.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

std::string for_people(const LayerView& view, JsonView phases, const std::vector<std::string>& learnings) {
  std::string text;
  for (const std::string& warning : view.warnings) text += "! " + warning + "\n";
  const std::string name = text_in(view.initiative, "name");
  if (name.empty()) {
    text += "No initiative.\n";
  } else {
    text += "Initiative " + name + ": " + text_in(view.initiative, "status");
    const std::string milestone = text_in(view.initiative, "current_milestone");
    if (!milestone.empty()) text += ", at " + milestone;
    text += " (from " + view.source + ")\n";
    const JsonView progress = JsonView(view.initiative).find("progress");
    for (const JsonItem& item : progress.fields()) {
      const std::string state = item.value.as_string().value_or("");
      text += std::string("  [") +
              (state == "completed"     ? 'x'
               : state == "in_progress" ? '~'
                                        : ' ') +
              "] " + item.key() + "\n";
    }
    if (const std::string next = text_in(view.initiative, "next_action"); !next.empty()) text += "Next: " + next + "\n";
  }
  const JsonView active = phases.find("active");
  if (active.kind() == JsonKind::object) {
    text += "Workflow " + active.find("type").as_string().value_or("") + ": " +
            active.find("phase").as_string().value_or("") + ", " + active.find("context").as_string().value_or("") +
            "\n";
  }
  for (const std::string& line : view.active) text += "Memory: " + line + "\n";
  if (!learnings.empty()) text += "Learnings: " + std::to_string(learnings.size()) + "\n";
  return text;
}

}  // namespace

Result<std::string> view_workflow(const Context& context, Store& store, std::string_view project) {
  HOLDFAST_LET(view, read_initiative(context, store, project));
  std::string memory;
  HOLDFAST_TRY(read_layers(context, store, project, [&](LayerDraft& draft) -> Result<void> {
    memory = draft.memory().value_or("");
    return {};
  }));
  auto phases = read_phases(context, store, project);
  if (!phases) view.warnings.push_back(error_words(phases.error()));
  auto interview = read_interviews(context, store, project, {});
  if (!interview) view.warnings.push_back(error_words(interview.error()));
  const auto learnings = lines_under(memory, kInitiativePatterns);
  JsonWriter json;
  json.begin_object().key("initiative").raw(view.initiative).key("source").string(view.source);
  json.key("warnings").strings(view.warnings);
  json.key("active").strings(view.active);
  json.key("workflow").raw(phases ? *phases : "null").key("interview").raw(interview ? *interview : "null");
  json.key("delegations").strings(lines_under(memory, kDelegationPatterns));
  json.key("learnings").strings(learnings);
  const std::string none = "{}";
  json.key("text").string(for_people(view, JsonView(phases ? *phases : none), learnings));
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
