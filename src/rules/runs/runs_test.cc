#include "rules/runs/runs.h"

#include "rules/rules_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST_P(SeedRules, G04_RunIdsFollowSeedAndAreUnique) {
  const auto first = must(start_run(context, store, {.project = project, .agent = "ling"}));
  const auto second = must(start_run(context, store, {.project = project, .agent = "ling"}));
  EXPECT_EQ(first.id, "run-ling-1700000000-0");
  EXPECT_EQ(second.id, "run-ling-1700000000-1");
  EXPECT_EQ(first.status.text(), "running");
  EXPECT_EQ(first.project, project);
  EXPECT_EQ(first.started_at, "2023-11-14T22:13:20.000Z");
  EXPECT_TRUE(JsonView(first.source).find("ended_at").is_null());
  files.reopen();  // the count is that of the store, not of the process
  EXPECT_EQ(must(start_run(context, *files.store, {.project = project, .agent = "ling"})).id, "run-ling-1700000000-2");
}

TEST_P(SeedRules, G04_UpdateChangesOnlyStatusDetailAndEnd) {
  const auto run =
      must(start_run(context, store, {.project = project, .agent = "ling", .session = "s", .detail = "chat"}));
  files.clock.step(std::chrono::seconds(60));
  const std::string id = run.id;
  const auto done = must(update_run(context, store, project, id, {.status = "completed"}));
  EXPECT_EQ(done.status.text(), "completed");
  EXPECT_EQ(done.detail, "chat");
  EXPECT_EQ(done.ended_at, "2023-11-14T22:14:20.000Z");
  EXPECT_EQ(done.started_at, run.started_at);
  EXPECT_EQ(update_run(context, store, project, id, {.status = "sleeping"}).error().code, Code::invalid_argument);
  EXPECT_EQ(update_run(context, store, project, "run-x-1-1", {.status = "failed"}).error().code, Code::not_found);
}

TEST_P(SeedRules, G04_ListsRunsNewestFirstAndChildrenOldestFirst) {
  const std::string parent = must(start_run(context, store, {.project = project, .agent = "a"})).id;
  std::vector<std::string> children;
  for (int i = 0; i < 12; ++i) {
    if (i == 6) files.clock.step(std::chrono::seconds(1));
    children.push_back(must(start_run(context, store, {.project = project, .agent = "b", .parent = parent})).id);
  }
  EXPECT_EQ(ids(must(list_run_children(context, store, project, parent))), children);
  std::vector<std::string> newest = ids(must(list_runs(context, store, {.project = project})));
  ASSERT_EQ(newest.size(), 13u);
  EXPECT_EQ(newest.front(), children.back());
  EXPECT_EQ(ids(must(list_runs(context, store, {.agent = "a"}))), std::vector<std::string>{parent});
}

TEST_P(SeedRules, G04_CancellingRunCancelsItsChildren) {
  const std::string parent = must(start_run(context, store, {.project = project, .agent = "a"})).id;
  const std::string child = must(start_run(context, store, {.project = project, .agent = "b", .parent = parent})).id;
  const auto done = must(start_run(context, store, {.project = project, .agent = "c", .parent = child})).id;
  must(update_run(context, store, project, done, {.status = "completed"}));
  EXPECT_EQ(must(cancel_run(context, store, project, parent)), 2u);
  EXPECT_EQ(must(get_run(context, store, project, child)).status.text(), "cancelled");
  EXPECT_EQ(must(get_run(context, store, project, done)).status.text(), "completed");
}

TEST_P(SeedRules, G04_DeadOwnersRunIsInterruptedThenFailedOnWriteOpen) {
  const std::string id = must(start_run(context, store, {.project = project, .agent = "ling"})).id;
  {
    const Lease lease = must(own_run(context, store, project, id));
    EXPECT_EQ(must(get_run(context, store, project, id)).status.text(), "running");
    EXPECT_EQ(must(fail_abandoned_runs(context, store)), 0u);
  }  // destroyed without a release, as if the process died
  EXPECT_EQ(must(get_run(context, store, project, id)).status.text(), "interrupted");
  const std::string file = store.layout_name() == "linggen" ? "/store/projects/-srv-p/runs/" + id + ".json" : "";
  if (!file.empty()) {
    EXPECT_NE(files.bytes(file).find("\"running\""), std::string::npos) << "reading wrote";
  }
  files.reopen();
  const auto run = must(get_run(context, *files.store, project, id));
  EXPECT_EQ(run.status.text(), "failed");
  EXPECT_EQ(run.detail, "interrupted");
  EXPECT_FALSE(run.ended_at.empty());
}

TEST_P(SeedRules, G04_RunWithoutOwnerFailsOnlyOnRequest) {
  const std::string id = must(start_run(context, store, {.project = project, .agent = "ling"})).id;
  EXPECT_EQ(must(fail_dead_runs(context, store)), 0u);
  EXPECT_EQ(must(get_run(context, store, project, id)).status.text(), "running");
  EXPECT_EQ(must(fail_dead_runs(context, store, true)), 1u);
  EXPECT_EQ(must(get_run(context, store, project, id)).status.text(), "failed");
}

TEST_P(SeedRules, G12_RefusesBadAgentAndRunNames) {
  for (const std::string bad : {"..", "a/b", "a\\b", "a..b", "CON", "a\nb", ""})
    EXPECT_EQ(start_run(context, store, {.project = project, .agent = bad}).error().code, Code::unsafe_path) << bad;
  EXPECT_EQ(get_run(context, store, project, "../../x").error().code, Code::unsafe_path);
}

}  // namespace
}  // namespace holdfast::inline v1
