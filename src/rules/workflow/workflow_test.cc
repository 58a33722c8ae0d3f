// The workflow of a session, on every layout with workflows.
#include "rules/workflow/workflow.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rules/rules_testing.h"
#include "rules/workflow/session_start.h"

namespace holdfast::inline v1 {
namespace {

struct Workflow : testing::TestWithParam<const char*> {
  LayoutStore files{GetParam()};
  const Context& context = files.context;
  Store& store() { return *files.store; }  // changes on reopen
  const bool native = files.layout == "holdfast";
  std::string id = must(start_session(context, store(), {.module = "Auth", .project = project()})).workflow.id;

  std::string project() const { return native ? "/srv/p" : ""; }
  std::string file(const std::string& name) {
    for (const SimEntry& entry : files.disk.tree()) {
      if (entry.kind == FileKind::file && entry.path.ends_with("/" + name) &&
          entry.path.find("/" + id + "/") != std::string::npos && entry.path.find("holdfast/") == std::string::npos &&
          entry.path.find("/.side/") == std::string::npos)
        return entry.bytes;
    }
    return "<none>";
  }
  std::string state() { return file(native ? "session.json" : "state.json"); }
  WorkflowView save(const WorkflowEvent& event) { return must(save_workflow(context, store(), id, event)); }
  // Calls `look` with the workflow as another process finds it after a power loss, in up to 12 ways per model.
  template <typename Look>
  void after_power_loss(const Look& look) {
    StoreOptions options;
    options.layout = files.layout;
    options.roots = {{"", "/store"}};
    options.write = true;
    for (const CrashModel model : kAllModels) {
      Chooser chooser = Chooser::random(12, 1);
      do {
        const auto crashed = files.disk.crash(model, chooser);
        const auto opened = must(Store::open(context, *crashed, options));
        look(must(get_workflow(context, *opened, id)));
      } while (chooser.next());
    }
  }
};

TEST_P(Workflow, L06_EveryTriggerIsDurableOnReturn) {
  files.clock.step(std::chrono::seconds(5));
  for (const char* trigger : {"SpecApproved", "DependenciesDetermined", "ComponentsIdentified", "ComponentSelected",
                              "TasksBrokenDown", "TaskIterationComplete", "ComponentComplete", "Assess"}) {
    const WorkflowView before = must(get_workflow(context, store(), id));
    files.clock.step(std::chrono::seconds(1));
    const WorkflowView after = save({.trigger = trigger});
    EXPECT_GT(after.updated_at, before.updated_at) << trigger;
    after_power_loss([&](const WorkflowView& saved) {
      EXPECT_EQ(saved.step_written, after.step_written) << trigger;
      EXPECT_EQ(saved.updated_at, after.updated_at) << trigger;
      EXPECT_EQ(saved.created_at, before.created_at) << trigger;
    });
  }
}

TEST_P(Workflow, L06_OtherTriggersAreRefusedAndChangeNothing) {
  const std::string before = state();
  const auto refused = save_workflow(context, store(), id, {.trigger = "Assess"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::invalid_argument);
  EXPECT_NE(refused.error().message.find("SpecApproved"), std::string::npos);
  EXPECT_EQ(state(), before);
}

TEST_P(Workflow, L06_CompletedModuleRefusesFurtherChanges) {
  for (const char* trigger : {"SpecApproved", "DependenciesDetermined", "ComponentsIdentified"})
    save({.trigger = trigger});
  EXPECT_TRUE(save({.trigger = "ModuleComplete"}).complete);
  EXPECT_EQ(must(store().get(context, id)).status, Status::complete);
  const auto refused = save_workflow(context, store(), id, {.pause = true});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "Session " + id + " is already complete.");
}

TEST_P(Workflow, L06_PauseIsSaved) {
  files.clock.step(std::chrono::seconds(9));
  const std::string before = must(get_workflow(context, store(), id)).updated_at;
  const std::string paused = save({.pause = true}).updated_at;
  EXPECT_GT(paused, before);
  after_power_loss([&](const WorkflowView& saved) { EXPECT_EQ(saved.updated_at, paused); });
  EXPECT_NE(state().find(native ? "2023-11-14T22:13:29.000Z" : "2023-11-14T22:13:29+00:00"), std::string::npos)
      << state();
}

TEST_P(Workflow, L02_ComponentModelsCommitResourcesAndTasksAreKept) {
  save({.new_tasks = {{.id = "auth", .name = "Auth"}, {.parent = "auth", .id = "api", .name = "Api"}},
        .component = "Api",
        .commit_sha = "abc123",
        .model = "gpt-5-mini",
        .resources = R"({"specs":["docs/requirements/auth/SPECIFICATION.md"]})"});
  save({.model = "gpt-5-mini", .resources = R"({"specs":["docs/requirements/auth/SPECIFICATION.md"],"plans":["p"]})"});
  save({.model = "opus"});
  const std::string bytes = state();
  const JsonView json(bytes);
  EXPECT_EQ(json.find("component").as_string(), "Api");
  EXPECT_EQ(json.find("module").as_string(), "Auth");
  EXPECT_EQ(json.find("last_task_completion_commit_sha").as_string(), "abc123");
  EXPECT_EQ(std::ranges::distance(json.find("models_used").elements()), 2);
  EXPECT_EQ(std::ranges::distance(json.find("resources").find("specs").elements()), 1);
  EXPECT_EQ(std::ranges::distance(json.find("resources").find("plans").elements()), 1);
  EXPECT_TRUE(json.find("task_hierarchy").elements().begin()->value.find("children"));
  save({.component = "", .commit_sha = ""});
  EXPECT_TRUE(must(get_workflow(context, store(), id)).component.empty());
  EXPECT_EQ(state().find("abc123"), std::string::npos);
}

TEST_P(Workflow, L02_UnknownKeysAndCreatedAtSurviveSave) {
  std::string path;
  for (const SimEntry& entry : files.disk.tree()) {
    if (entry.kind == FileKind::file && entry.bytes == state() && entry.path.find(id) != std::string::npos)
      path = entry.path;
  }
  std::string strange = state();
  strange.insert(strange.find('{') + 1, R"("from_elsewhere":{"a":[1,2,"\u00e9"]},)");
  must(files.disk.put_file(path, strange));
  const std::string created = must(get_workflow(context, store(), id)).created_at;
  files.clock.step(std::chrono::hours(3));
  save({.trigger = "SpecApproved", .iteration = Iteration{10, 5, 100, false}});
  EXPECT_EQ(must(get_workflow(context, store(), id)).created_at, created);
  EXPECT_NE(state().find(R"("from_elsewhere":{"a":[1,2,"\u00e9"]},)"), std::string::npos) << state();
}

TEST_P(Workflow, L03_TotalsAreSumsEvenAfterResume) {
  std::int64_t input = 0, output = 0, premium = 0;
  for (int n = 1; n <= 20; ++n) {
    const Iteration one{n * 7 % 13, n * 5 % 11, 128000, n % 3 == 0};
    input += one.input_tokens, output += one.output_tokens, premium += one.premium ? 1 : 0;
    save({.iteration = one});
    if (n == 10) {
      files.reopen();
      must(resume_workflow(context, *files.store, id));
    }
  }
  const std::string bytes = file("metrics.json");
  const JsonView metrics(bytes);
  EXPECT_EQ(metrics.find("cumulative_input_tokens").as_int64(), input);
  EXPECT_EQ(metrics.find("cumulative_output_tokens").as_int64(), output);
  EXPECT_EQ(metrics.find("premium_request_count").as_int64(), premium);
  EXPECT_EQ(metrics.find("iteration_count").as_int64(), 20);
  std::int64_t in_list = 0;
  for (const JsonItem& item : metrics.find("iterations").elements()) {
    in_list += item.value.find("input_tokens").as_int64().value_or(0);
    EXPECT_EQ(item.value.find("total_tokens").as_int64(),
              *item.value.find("input_tokens").as_int64() + *item.value.find("output_tokens").as_int64());
  }
  EXPECT_EQ(in_list, input);
  EXPECT_FALSE(save_workflow(context, *files.store, id, {.iteration = Iteration{INT64_MAX, 0, 0, false}}));
  EXPECT_FALSE(save_workflow(context, *files.store, id, {.iteration = Iteration{-1, 0, 0, false}}));
}

TEST_P(Workflow, L19_IterationWritesSnapshotOnRequest) {
  save({.iteration = Iteration{1, 1, 1, false}});
  EXPECT_EQ(file("1.json"), "<none>");
  save({.iteration = Iteration{2, 2, 2, false}, .history = true});
  const std::string snapshot = file("2.json");
  ASSERT_NE(snapshot, "<none>");
  EXPECT_EQ(JsonView(snapshot).find("state").find("module").as_string(), "Auth");
  EXPECT_EQ(JsonView(snapshot).find("metrics").find("iteration_count").as_int64(), 2);
  EXPECT_EQ(std::ranges::distance(JsonView(snapshot).fields()), 2);  // and nothing else (L23)
}

// Counts restart if metrics.json is lost; snapshots of earlier iterations stay.
TEST_P(Workflow, L19_SnapshotNeverOverwritesAnother) {
  save({.iteration = Iteration{1, 1, 1, false}, .history = true});
  const auto paths = files.disk.paths();
  const auto first = std::ranges::find_if(paths, [](const std::string& path) { return path.ends_with("/1.json"); });
  ASSERT_NE(first, paths.end());
  must(files.disk.put_file(first->substr(0, first->size() - 6) + "2.json", "somebody's"));
  save({.iteration = Iteration{2, 2, 2, false}, .history = true});
  EXPECT_EQ(file("2.json"), "somebody's");
  EXPECT_EQ(JsonView(file("3.json")).find("metrics").find("iteration_count").as_int64(), 2);
}

TEST_P(Workflow, L09_SavingTaskStateTicksItsBox) {
  const std::string plan = "# Plan\n\n- [ ] Api\n  - [ ] Add JWT\n";
  must(store().edit_records(context, [&](const Store::Look&) -> Result<std::vector<RecordEdit>> {
    return std::vector<RecordEdit>{{RecordEdit::Kind::create,
                                    {"plan", project(), "Auth"},
                                    JsonWriter().begin_object().key("body").string(plan).end_object().take()}};
  }));
  save({.new_tasks = {{.id = "auth", .name = "Auth"},
                      {.parent = "auth", .id = "api", .name = "Api"},
                      {.parent = "api", .id = "jwt", .name = "Add JWT"}}});
  EXPECT_EQ(save({.tasks = {{"jwt", "InProgress"}}}).boxes, 0u);
  EXPECT_EQ(save({.tasks = {{"jwt", "Complete"}}}).boxes, 2u);
  EXPECT_EQ(text_in(must(store().get_record(context, {"plan", project(), "Auth"})), "body"),
            "# Plan\n\n- [x] Api\n  - [x] Add JWT\n");
  save({.new_tasks = {{.parent = "api", .id = "more", .name = "More"}}});
  EXPECT_EQ(text_in(must(store().get_record(context, {"plan", project(), "Auth"})), "body"),
            "# Plan\n\n- [ ] Api\n  - [x] Add JWT\n");
}

TEST_P(Workflow, L13_FailedSaveBlocksChangesUntilResume) {
  const std::string before = state();
  files.disk.set_capacity(1, 1);
  const auto full = save_workflow(context, store(), id, {.trigger = "SpecApproved"});
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, Code::disk_full) << full.error().text();
  EXPECT_NE(full.error().message.find(" | Path: /store/"), std::string::npos) << full.error().message;
  EXPECT_NE(full.error().message.find(" | OS Error: No space left on device (0x0000001c) | Details: "),
            std::string::npos);
  EXPECT_FALSE(resume_workflow(context, store(), id));
  files.disk.set_capacity(std::uint64_t{1} << 30, 100000);
  EXPECT_EQ(save_workflow(context, store(), id, {.pause = true}).error().code, Code::storage_unavailable);
  EXPECT_EQ(state(), before);  // the refused change did not happen, and the rest stayed
  must(resume_workflow(context, store(), id));
  EXPECT_EQ(save({.trigger = "SpecApproved"}).step, WorkflowStep::determine_dependencies);
}

TEST_P(Workflow, L23_ContentIsRefused) {
  const std::string before = state();
  EXPECT_FALSE(save_workflow(context, store(), id, {.resources = R"({"specs":["# Auth\n\ntext"]})"}));
  EXPECT_FALSE(save_workflow(context, store(), id, {.resources = R"({"answers":["x"]})"}));
  EXPECT_FALSE(save_workflow(context, store(), id, {.component = "one\ntwo"}));
  EXPECT_FALSE(save_workflow(context, store(), id, {.new_tasks = {{.id = "a", .name = "one\ntwo"}}}));
  EXPECT_EQ(state(), before);
  if (native) return;
  const auto message = store().write(context, id);
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().code, Code::unsupported);
}

INSTANTIATE_TEST_SUITE_P(Lopen, Workflow, testing::Values("lopen"));
INSTANTIATE_TEST_SUITE_P(Native, Workflow, testing::Values("holdfast"));

}  // namespace
}  // namespace holdfast::inline v1
