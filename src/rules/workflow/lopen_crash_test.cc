// Workflows: state, metrics, boxes, snapshots and the mark are one event.
#include "layout/session_mark.h"
#include "rules/workflow/session_start.h"
#include "store/crash_testing.h"
#include "store/engine.h"
#include "store/record_text.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

std::string start_on(Store& store) {
  const std::string project = store.layout_name() == "holdfast" ? "/p" : "";
  return must(start_session({}, store, {.module = "auth", .no_resume = true, .project = project})).workflow.id;
}

void put_plan(Store& store, const std::string& text) {
  const RecordKey key{"plan", store.layout_name() == "holdfast" ? "/p" : "", "auth"};
  must(store.edit_records({}, [&](const Store::Look&) -> Result<Edits> {
    return Edits{
        {RecordEdit::Kind::create, key, JsonWriter().begin_object().key("body").string(text).end_object().take()}};
  }));
}

// State, metrics, the plan's boxes and the snapshots of the only session.
std::string workflow_of(Store& store) {
  std::string seen;
  for (const Session& session : must(store.list({})).sessions) {
    const WorkflowView view = must(get_workflow({}, store, session.id));
    seen += view.step_written;
    for (const TaskNode& node : TaskTree(JsonView(view.state).find("task_hierarchy").raw()).nodes())
      seen += " " + node.id + node.state.text();
    seen += " metrics:" + std::string(JsonView(view.metrics).find("iteration_count").raw());
    FileStore& files = *must(engine_of(store));
    const Context context;
    DirectoryFeed feed(context, files.roots().directories());
    const SessionRef ref = must(files.resolve(context, feed, session.id));
    const std::string folder = ref.place.path.substr(0, ref.place.path.rfind('/'));
    seen += " history:" + std::to_string(must(feed.list({ref.place.root, folder + "/history"})).size());
  }
  const RecordKey key{"plan", store.layout_name() == "holdfast" ? "/p" : "", "auth"};
  return seen + " " + text_in(must(store.get_record({}, key)), "body");
}

struct StepsCrash : testing::TestWithParam<std::string> {};

TEST_P(StepsCrash, L03_StateMetricsPlanAndSnapshotAreAtomic) {
  std::string id;
  all_or_none({GetParam(),
               [&](Store& store) {
                 id = start_on(store);
                 put_plan(store, "- [ ] Api\n");
                 must(save_workflow({}, store, id,
                                    {.new_tasks = {{.id = "api", .name = "Api"}}, .tasks = {{"api", "InProgress"}}}));
               },
               [&](Store& store) -> Result<void> {
                 HOLDFAST_TRY(save_workflow({}, store, id,
                                            {.trigger = "SpecApproved",
                                             .tasks = {{"api", "Complete"}},
                                             .iteration = Iteration{10, 20, 30, false},
                                             .history = true}));
                 return {};
               },
               workflow_of});
}

INSTANTIATE_TEST_SUITE_P(Layouts, StepsCrash, testing::Values("holdfast", "lopen"),
                         [](const auto& test) { return test.param; });

// Every session, and the one that the store marks.
std::string marked_sessions(Store& store) {
  std::set<std::string> ids;
  for (const Session& session : must(store.list({})).sessions) ids.insert(session.id);
  std::string seen;
  for (const std::string& id : ids) seen += id + " ";
  FileStore& files = *must(engine_of(store));
  const Context context;
  DirectoryFeed feed(context, files.roots().directories());
  const auto current = must(marked_session(files.layout(), feed));
  return seen + "latest " + (current ? current->id : "none");
}

TEST(LopenCrash, L05_NewSessionAndMarkAreAtomic) {
  all_or_none({"lopen", [](Store& store) { start_on(store); },
               [](Store& store) -> Result<void> {
                 HOLDFAST_TRY(start_session({}, store, {.module = "zoo", .no_resume = true}));
                 return {};
               },
               marked_sessions});
}

TEST(LopenCrash, L16_DeletedSessionAndMarkAreAtomic) {
  std::string second;
  all_or_none({"lopen",
               [&](Store& store) {
                 start_on(store);
                 second = start_on(store);
                 must(save_workflow({}, store, second, {.iteration = Iteration{1, 1, 1, false}, .history = true}));
               },
               [&](Store& store) -> Result<void> { return store.remove({}, second); }, marked_sessions});
}

TEST(LopenCrash, L07_ResumedSessionMarkAndStepAreAtomic) {
  std::string first;
  all_or_none(
      {"lopen",
       [&](Store& store) {
         first = start_on(store);
         must(save_workflow({}, store, first, {.trigger = "SpecApproved"}));
         start_on(store);
       },
       [&](Store& store) -> Result<void> {
         HOLDFAST_TRY(resume_workflow({}, store, first));  // without a specification: the first step
         return {};
       },
       [&](Store& store) { return marked_sessions(store) + " " + must(get_workflow({}, store, first)).step_written; }});
}

}  // namespace
}  // namespace holdfast::inline v1
