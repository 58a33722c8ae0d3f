// Two layers: both state files and the memory line are one event.
#include "rules/initiative/phases.h"
#include "rules/initiative/two_layer.h"
#include "rules/initiative/workflow_archive.h"
#include "store/crash_testing.h"
#include "store/record_text.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

// Both layers of a workflow, and the archive, as a new session would read them.
std::string layers_of(Store& store) {
  const std::string project = store.layout_name() == "holdfast" ? "/p" : "";
  const LayerView view = must(read_initiative({}, store, project));
  std::string seen;
  for (const LayerSource& source : view.sources) {
    const JsonView fields(source.fields);
    seen += source.name + ":" + fields.find("status").as_string().value_or("-") + "/" +
            fields.find("current_milestone").as_string().value_or("-") + " ";
  }
  RecordList memory = must(store.list_records({}, {"memory", project, ""}));
  for (const std::string& text : memory.records) seen += JsonView(text).find("body").as_string().value_or("") + " ";
  for (const std::string& text : must(store.list_records({}, {"archived_initiative", project, ""})).records)
    seen += "archived " + JsonView(text).find("id").as_string().value_or("") + " ";
  return seen + must(read_phases({}, store, project));
}

struct WorkflowCrash : testing::TestWithParam<std::string> {
  InitiativeEvent event(std::string learning = {}) {
    InitiativeEvent made;
    made.project = GetParam() == "holdfast" ? "/p" : "";
    made.learning = std::move(learning);
    return made;
  }
};

TEST_P(WorkflowCrash, W12_StateFilesAndMemoryLineAreAtomic) {
  all_or_none(
      {GetParam(), [&](Store& store) { must(create_initiative({}, store, {"login", {"M1", "M2"}}, event("first"))); },
       [&](Store& store) -> Result<void> {
         HOLDFAST_LET(state, start_milestone({}, store, "M2", event("second")));
         return state.outcome.warnings.empty() ? Result<void>() : fail(Code::internal, state.outcome.warnings[0]);
       },
       layers_of});
}

TEST_P(WorkflowCrash, W12_PhaseAndItsMemoryLineAreAtomic) {
  const std::string project = event().project;
  const auto step = [project](Store& store, std::string completed, std::string next) -> Result<void> {
    HOLDFAST_TRY(advance_phase(
        {}, store,
        {.project = project, .completed = std::move(completed), .next = std::move(next), .context = "login"}));
    return {};
  };
  all_or_none({GetParam(), [&](Store& store) { must(step(store, "analyze", "plan")); },
               [&](Store& store) { return step(store, "review", "git-commit"); }, layers_of});
}

TEST_P(WorkflowCrash, W13_ArchivingIsAllOrNothing) {
  all_or_none({GetParam(),
               [&](Store& store) {
                 must(create_initiative({}, store, {"login", {"M1"}}, event()));
                 must(set_initiative_status({}, store, "in_progress", event()));
                 must(set_initiative_status({}, store, "completed", event()));
               },
               [&](Store& store) -> Result<void> {
                 HOLDFAST_TRY(archive_initiative({}, store, {.outcome = "shipped"}, event()));
                 return {};
               },
               layers_of});
}

INSTANTIATE_TEST_SUITE_P(Layouts, WorkflowCrash, testing::Values("workflow", "holdfast"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace holdfast::inline v1
