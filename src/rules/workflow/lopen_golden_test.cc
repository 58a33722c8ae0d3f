// Whole stores of tests/fixtures/lopen: `real` as Lopen's program writes them, `seed`
// as in its specification, with the step names of older programs.
#include <gtest/gtest.h>

#include "base/paths_testing.h"
#include "disk/staged.h"
#include "rules/workflow/lopen_testing.h"

namespace holdfast::inline v1 {
namespace {

void copy_fixture(Directory& top, const std::string& path, LopenProject& files) {
  for (const DirectoryEntry& entry : must(top.list(path))) {
    const std::string below = path.empty() ? entry.name : path + "/" + entry.name;
    if (entry.kind == FileKind::directory)
      copy_fixture(top, below, files);
    else
      files.put(below, must(read_whole(top, below)));
  }
}

struct LopenGolden : testing::Test {
  LopenProject files;
  const Context& context = files.context;

  void load(const std::string& name, const std::string& latest) {
    const std::string top = paths::source() + "/tests/fixtures/lopen/" + name;
    copy_fixture(*must(real_file_system().open_directory(top, false)), "", files);
    must(must(files.disk.open_directory("/store", false))->make_symlink(latest, ".lopen/sessions/latest"));
    files.reopen();
  }
};

TEST_F(LopenGolden, L02_ReadsEntireRealStore) {
  load("real", "/home/u/shop/.lopen/sessions/auth-20260216-1");
  EXPECT_EQ(files.ids(), (std::vector<std::string>{"auth-20260216-1", "billing-20260215-3"}));
  const Session session = must(files.store->get(context, "auth-20260216-1"));
  EXPECT_EQ(session.title, "auth/Auth+Controller & café");
  EXPECT_EQ(session.created_at, "2026-02-16T10:30:00.123Z");
  EXPECT_EQ(session.status, Status::active);
  EXPECT_EQ(session.project, "/store");
  EXPECT_EQ(must(files.store->get(context, "billing-20260215-3")).status, Status::complete);
  const WorkflowView view = must(get_workflow(context, *files.store, "auth-20260216-1"));
  EXPECT_EQ(view.step, WorkflowStep::iterate_through_tasks);
  EXPECT_EQ(TaskTree(JsonView(view.state).find("task_hierarchy").raw()).nodes().size(), 4u);
  EXPECT_NE(metrics_json(view).find("\"cumulative_input_tokens\":15300"), std::string::npos);
  // Without `iterations`, as older programs wrote it.
  EXPECT_NE(metrics_json(must(get_workflow(context, *files.store, "billing-20260215-3"))).find("\"iterations\":[]"),
            std::string::npos);
  EXPECT_TRUE(must(start_session(context, *files.store, {.module = "auth"})).resumed);  // an absolute mark is accepted
}

TEST_F(LopenGolden, L02_ReadsSeedSpellings) {
  load("seed", "auth-20260214-2");
  EXPECT_EQ(must(get_workflow(context, *files.store, "auth-20260214-1")).step, WorkflowStep::determine_dependencies);
  EXPECT_EQ(must(get_workflow(context, *files.store, "auth-20260214-2")).step, WorkflowStep::iterate_through_tasks);
  EXPECT_EQ(must(files.store->get(context, "auth-20260214-1")).project, "/home/u/shop");
}

void save_untouched(LopenProject& files) {
  const auto before = files.tree();
  const std::vector<std::string> ids = files.ids();
  EXPECT_EQ(ids.size(), 2u);
  for (const std::string& id : ids) {
    must(get_workflow(files.context, *files.store, id));
    must(files.store->read(files.context, id));
    const Status status = must(files.store->get(files.context, id)).status;
    must(files.store->update(files.context, id, {.status = status}));
    if (status != Status::complete) must(save_workflow(files.context, *files.store, id, {}));
  }
  EXPECT_EQ(files.tree(), before);
}

TEST_F(LopenGolden, L02_ReadingAndSavingRealStoreChangesNoByte) {
  load("real", "/home/u/shop/.lopen/sessions/auth-20260216-1");
  save_untouched(files);
}

TEST_F(LopenGolden, L02_ReadingAndSavingSeedStoreChangesNoByte) {
  load("seed", "auth-20260214-2");
  save_untouched(files);
}

TEST_F(LopenGolden, L02_SaveChangesNoUnrelatedByte) {
  load("real", "auth-20260216-1");
  const std::string before = files.lopen("sessions/auth-20260216-1/state.json");
  must(save_workflow(context, *files.store, "auth-20260216-1", {.trigger = "ComponentComplete"}));
  std::string expected = before;
  const auto replace = [&](std::string_view old, std::string_view now) {
    const auto at = expected.find(old);
    ASSERT_NE(at, std::string::npos) << old;
    expected.replace(at, old.size(), now);
  };
  replace("IterateThroughTasks", "Repeat");
  replace("2026-02-16T11:02:07.89+00:00", "2023-11-14T22:13:20+00:00");
  EXPECT_EQ(files.lopen("sessions/auth-20260216-1/state.json"), expected);
}

TEST_F(LopenGolden, L09_TickingRealPlanKeepsLineEndings) {
  load("real", "auth-20260216-1");
  const std::string before = files.lopen("modules/auth/plan.md");
  must(save_workflow(context, *files.store, "auth-20260216-1", {.tasks = {{"refresh", "InProgress"}}}));
  EXPECT_EQ(files.lopen("modules/auth/plan.md"), before);
  must(save_workflow(context, *files.store, "auth-20260216-1", {.tasks = {{"refresh", "Complete"}}}));
  EXPECT_EQ(files.lopen("modules/auth/plan.md"),
            "## Components\r\n\r\n- [x] AuthController\r\n  - [x] Add JWT validation\r\n"
            "  - [x] Refresh tokens <15 min\r\n\r\nNotes by a person.\r\n");
}

}  // namespace
}  // namespace holdfast::inline v1
