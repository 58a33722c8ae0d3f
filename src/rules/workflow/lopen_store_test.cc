// The life cycle of Lopen's sessions: created, marked, resumed, pruned, deleted.
#include <gtest/gtest.h>

#include "rules/workflow/lopen_testing.h"
#include "rules/workflow/retention.h"
#include "rules/workflow/workflow_ready.h"

namespace holdfast::inline v1 {
namespace {

struct Lopen : testing::Test {
  LopenProject files;
  const Context& context = files.context;
};

TEST_F(Lopen, L01_FirstRunCreatesFolders) {
  files.start();
  for (const char* folder : {"sessions", "modules", "cache/sections", "cache/assessments"}) {
    bool there = false;
    for (const SimEntry& entry : files.disk.tree())
      there = there || (entry.path == "/store/.lopen/" + std::string(folder) && entry.kind == FileKind::directory);
    EXPECT_TRUE(there) << folder;
  }
  EXPECT_EQ(files.bytes("/store/.gitignore"), "<none>");  // none is created
}

TEST_F(Lopen, L01_AddsLineToExistingGitignoreOnce) {
  files.put(".gitignore", "build/\n*.o");
  files.start();
  files.start();
  EXPECT_EQ(files.bytes("/store/.gitignore"), "build/\n*.o\n.lopen/\n");
  for (const char* known : {".lopen\n", "  .lopen/  \n", "a\r\n.lopen/\r\n"}) {
    files.put(".gitignore", known);
    files.start();
    EXPECT_EQ(files.bytes("/store/.gitignore"), known);
  }
}

TEST_F(Lopen, L01_ForeignFilesAreLeftAlone) {
  files.put(".lopen/jobs-to-be-done.json", "not even JSON");
  files.put(".lopen/module/auth/state.json", "{}");
  files.put(".lopen/sessions/readme.txt", "hello");
  files.put(".lopen/sessions/old/state.json", "garbage");
  files.reopen();
  files.complete(files.start());
  EXPECT_EQ(files.lopen("jobs-to-be-done.json"), "not even JSON");
  EXPECT_EQ(files.lopen("module/auth/state.json"), "{}");
  EXPECT_EQ(files.lopen("sessions/readme.txt"), "hello");
  EXPECT_EQ(files.lopen("sessions/old/state.json"), "garbage");
}

TEST_F(Lopen, L02_NewStateIsOneLineWithLopenKeysInOrder) {
  const std::string id = files.start("Auth");
  EXPECT_EQ(files.lopen("sessions/" + id + "/state.json"),
            R"({"session_id":"auth-20231114-1","phase":"req-gathering","step":"draft-spec","module":"Auth",)"
            R"("component":null,"created_at":"2023-11-14T22:13:20+00:00","updated_at":"2023-11-14T22:13:20+00:00",)"
            R"("is_complete":false,"project":"/store"})");
  EXPECT_EQ(files.lopen("sessions/" + id + "/metrics.json"), "<none>");  // until the first save
  files.clock.step(std::chrono::microseconds(1500100));
  must(save_workflow(context, *files.store, id,
                     {.trigger = "SpecApproved", .iteration = Iteration{100, 20, 128000, true}}));
  EXPECT_EQ(
      files.lopen("sessions/" + id + "/state.json"),
      R"({"session_id":"auth-20231114-1","phase":"Planning","step":"DetermineDependencies","module":"Auth",)"
      R"("component":null,"created_at":"2023-11-14T22:13:20+00:00","updated_at":"2023-11-14T22:13:21.5001+00:00",)"
      R"("is_complete":false,"project":"/store"})");
  EXPECT_EQ(files.lopen("sessions/" + id + "/metrics.json"),
            R"({"session_id":"auth-20231114-1","cumulative_input_tokens":100,"cumulative_output_tokens":20,)"
            R"("premium_request_count":1,"iteration_count":1,"iterations":[{"input_tokens":100,"output_tokens":20,)"
            R"("total_tokens":120,"context_window_size":128000,"is_premium_request":true}],)"
            R"("updated_at":"2023-11-14T22:13:21.5001+00:00"})");
}

TEST_F(Lopen, L03_OldMetricsContinueFromTheirTotals) {
  const std::string id = files.start();
  for (const char* old :
       {R"({"session_id":"x","cumulative_input_tokens":5000,"cumulative_output_tokens":70,"iteration_count":3,)"
        R"("more":1,"updated_at":"2026-02-16T10:30:00.1234567+00:00"})",
        R"({"session_id":"x","cumulative_input_tokens":5000,"cumulative_output_tokens":70,"iteration_count":3,)"
        R"("iterations":null,"more":1,"updated_at":"2026-02-16T10:30:00.1234567+00:00"})"}) {
    files.put(".lopen/sessions/" + id + "/metrics.json", old);
    const WorkflowView view = must(save_workflow(context, *files.store, id, {.iteration = Iteration{1, 2, 3, false}}));
    const JsonView metrics(view.metrics);
    EXPECT_EQ(metrics.find("cumulative_input_tokens").as_int64(), 5001);
    EXPECT_EQ(metrics.find("iteration_count").as_int64(), 4);
    EXPECT_EQ(metrics.find("more").as_int64(), 1);
    EXPECT_EQ(std::ranges::distance(metrics.find("iterations").elements()), 1);
  }
}

TEST_F(Lopen, L04_CountersArePerModuleAndDayAndNeverReused) {
  EXPECT_EQ(files.start("auth"), "auth-20231114-1");
  EXPECT_EQ(files.start("Auth"), "auth-20231114-2");
  EXPECT_EQ(files.start("billing"), "billing-20231114-1");
  must(files.store->remove(context, "auth-20231114-2"));
  EXPECT_EQ(files.start("auth"), "auth-20231114-3");
  must(files.store->remove(context, "auth-20231114-1"));
  must(files.store->remove(context, "auth-20231114-3"));
  EXPECT_EQ(files.start("auth"), "auth-20231114-4");
  // Directories of other programs count too, with and without a session in them.
  files.put_session("auth-20231114-9", real_state("auth-20231114-9", "auth"));
  EXPECT_EQ(files.start("auth"), "auth-20231114-10");
  files.clock.step(std::chrono::hours(2));  // past midnight, UTC
  EXPECT_EQ(files.start("auth"), "auth-20231115-1");
}

TEST_F(Lopen, L04_ModuleNamesAreChecked) {
  for (const char* bad : {"", "../x", "My_Mod", "1st", "a/b", "-x", "ä"}) {
    const auto refused = start_session(context, *files.store, {.module = bad, .no_resume = true});
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(refused.error().code, Code::invalid_argument);
  }
  EXPECT_TRUE(files.ids().empty());
  auto started = must(start_session(context, *files.store, {.module = "auth", .no_resume = true}));
  ASSERT_EQ(started.warnings.size(), 1u);
  EXPECT_EQ(started.warnings[0], "there is no directory docs/requirements/auth");
  files.put("docs/requirements/auth/notes.md", "x");
  started = must(start_session(context, *files.store, {.module = "auth", .no_resume = true}));
  EXPECT_TRUE(started.warnings.empty());
}

TEST_F(Lopen, L05_LatestFollowsCreationResumeAndDeletion) {
  const std::string one = files.start(), two = files.start();
  EXPECT_EQ(files.latest(), two);
  must(resume_workflow(context, *files.store, one));
  EXPECT_EQ(files.latest(), one);
  const std::string three = files.start("zoo");  // zoo-...-1: same day, a lower counter than auth-...-2
  EXPECT_EQ(files.latest(), three);
  must(files.store->remove(context, three));
  EXPECT_EQ(files.latest(), two);
  must(files.store->remove(context, one));
  EXPECT_EQ(files.latest(), two);  // another one was deleted
  must(files.store->remove(context, two));
  EXPECT_EQ(files.latest(), "<none>");
}

TEST_F(Lopen, L05_DanglingMarkIsIgnoredAndRepairedOnWriteOpen) {
  const std::string one = files.start(), two = files.start();
  files.remove(".lopen/sessions/" + two);
  files.reopen(false);
  EXPECT_EQ(files.latest(), two);  // reading repairs nothing
  EXPECT_FALSE(resume_workflow(context, *files.store, ""));
  files.reopen();
  EXPECT_EQ(files.latest(), one);
}

TEST_F(Lopen, L07_WithoutTerminalResumesIncompleteCurrentSession) {
  const std::string one = files.start();
  auto started = must(start_session(context, *files.store, {.module = "auth"}));
  EXPECT_TRUE(started.resumed);
  EXPECT_EQ(started.workflow.id, one);
  started = must(start_session(context, *files.store, {.module = "auth", .auto_resume = false}));
  EXPECT_FALSE(started.resumed);
  const std::string two = started.workflow.id;
  EXPECT_NE(two, one);
  started = must(start_session(context, *files.store, {.module = "auth", .no_resume = true}));
  EXPECT_FALSE(started.resumed);
  // Another module's session is not used for this one.
  started = must(start_session(context, *files.store, {.module = "billing"}));
  EXPECT_FALSE(started.resumed);
  EXPECT_EQ(started.workflow.id, "billing-20231114-1");
  started = must(start_session(context, *files.store, {.module = "auth", .resume = one}));
  EXPECT_TRUE(started.resumed);
  EXPECT_EQ(files.latest(), one);
  files.complete(one);
  started = must(start_session(context, *files.store, {.module = "auth"}));
  EXPECT_FALSE(started.resumed);  // the current one is complete
}

TEST_F(Lopen, L07_ErrorNamesIdThatCannotBeResumed) {
  const std::string one = files.start();
  files.complete(one);
  const auto error = [&](const std::string& id) {
    const auto refused = start_session(context, *files.store, {.module = "auth", .resume = id});
    return refused ? Error{} : refused.error();
  };
  EXPECT_EQ(error(one).message, "Session " + one + " is already complete.");
  EXPECT_EQ(error("auth-20260214-7").message, "Session not found: auth-20260214-7");
  EXPECT_EQ(error("auth-20260214-7").code, Code::not_found);
  EXPECT_EQ(error("My_Mod").message, "Invalid session ID format: 'My_Mod'.");
  files.put_session("auth-20260214-8", "{\"session_id\":");
  EXPECT_EQ(error("auth-20260214-8").code, Code::corrupt);
  files.reopen();  // now it has been set aside
  EXPECT_EQ(error("auth-20260214-8").code, Code::corrupt);
  EXPECT_NE(error("auth-20260214-8").message.find("auth-20260214-8"), std::string::npos);
}

TEST_F(Lopen, L08_SpecificationDecidesStepOfResumedSession) {
  const std::string id = files.start();
  must(save_workflow(context, *files.store, id, {.trigger = "SpecApproved"}));
  const std::string text = "---\nname: auth\n---\n# Auth\n\n## Acceptance Criteria\n\n";
  const auto resumed_at = [&](const std::string& specification) {
    files.put("docs/requirements/auth/SPECIFICATION.md", specification);
    return must(resume_workflow(context, *files.store, id));
  };
  EXPECT_EQ(resumed_at(text + "- [ ] a\n").workflow.step, WorkflowStep::determine_dependencies);  // the hint
  EXPECT_EQ(resumed_at(text + "- [x] a\n- [ ] b\n").workflow.step, WorkflowStep::iterate_through_tasks);
  const StartedSession all = resumed_at(text + "- [x] a\n- [x] b\n");
  EXPECT_EQ(all.workflow.step, WorkflowStep::repeat);
  EXPECT_EQ(all.hint, "IterateThroughTasks");
  files.remove("docs");
  EXPECT_EQ(must(resume_workflow(context, *files.store, id)).workflow.step, WorkflowStep::draft_specification);
  // The file was updated too.
  EXPECT_NE(files.lopen("sessions/" + id + "/state.json").find("DraftSpecification"), std::string::npos);
  EXPECT_EQ(must(get_workflow(context, *files.store, id)).id, id);
}

TEST_F(Lopen, L15_PrunesOldestCompletedSessionsBeyondLimit) {
  std::vector<std::string> made;
  for (int n = 0; n < 6; ++n) {
    made.push_back(files.start());
    if (n != 1) files.complete(made.back());  // the second one stays incomplete
  }
  must(resume_workflow(context, *files.store, made[1]));
  EXPECT_TRUE(must(prune_sessions(context, *files.store, 0)).empty());  // 0: unlimited
  EXPECT_TRUE(must(prune_sessions(context, *files.store, 5)).empty());
  EXPECT_EQ(must(prune_sessions(context, *files.store, 2)), (std::vector<std::string>{made[0], made[2], made[3]}));
  EXPECT_EQ(files.ids(), (std::vector<std::string>{made[1], made[4], made[5]}));
  // At startup, and never the marked one.
  const std::string last = files.start();
  files.complete(last);
  EXPECT_EQ(files.latest(), last);
  EXPECT_EQ(must(sessions_to_prune(context, *files.store, 1)), (std::vector<std::string>{made[4], made[5]}));
  const auto started =
      must(start_session(context, *files.store, {.module = "auth", .no_resume = true, .retention = 1}));
  EXPECT_EQ(started.pruned, (std::vector<std::string>{made[4], made[5]}));
}

TEST_F(Lopen, L15_CompletingSessionPrunesOldOnes) {
  const std::string one = files.start(), two = files.start(), three = files.start();
  for (const std::string& id : {one, two}) files.complete(id);
  const WorkflowView view = must(save_workflow(context, *files.store, three, {.complete = true, .retention = 2}));
  EXPECT_EQ(view.pruned, std::vector<std::string>{one});
  EXPECT_EQ(files.ids(), (std::vector<std::string>{two, three}));
}

TEST_F(Lopen, L15_MarkedSessionIsNeverPruned) {
  const std::string one = files.start(), two = files.start(), three = files.start();
  for (const std::string& id : {two, three}) files.complete(id);
  must(resume_workflow(context, *files.store, one));
  files.complete(one);
  EXPECT_EQ(must(prune_sessions(context, *files.store, 1)), std::vector<std::string>{two});
  EXPECT_EQ(files.ids(), (std::vector<std::string>{one, three}));
}

TEST_F(Lopen, L16_DeletingRemovesEntireSessionDirectory) {
  const std::string id = files.start();
  must(save_workflow(context, *files.store, id, {.iteration = Iteration{1, 1, 1, false}, .history = true}));
  files.put(".lopen/sessions/" + id + "/notes/deep/x.txt", "left by somebody");
  files.put(".lopen/sessions/" + id + "/state.json.tmp", "left by Lopen");
  must(files.store->remove(context, id));
  for (const SimEntry& entry : files.disk.tree())
    EXPECT_EQ(entry.path.find("/sessions/" + id), std::string::npos) << entry.path;
  EXPECT_EQ(files.store->remove(context, id).error().code, Code::not_found);
}

TEST_F(Lopen, L21_BadSessionDoesNotHideOthers) {
  const std::string one = files.start(), two = files.start();
  files.put_session("auth-20231114-7", "\x01\x02 garbage");
  files.put_session("auth-20231114-8", "");
  files.reopen(false);
  const SessionList list = must(files.store->list(context));
  EXPECT_EQ(list.sessions.size(), 2u);
  EXPECT_EQ(list.findings.size(), 2u);
  for (const Finding& finding : list.findings) EXPECT_EQ(finding.kind, "corrupt");
  EXPECT_EQ(files.store->get(context, "auth-20231114-8").error().code, Code::corrupt);
  EXPECT_TRUE(files.store->get(context, one));
}

TEST_F(Lopen, ReadingChangesNothing) {
  const std::string id = files.start();
  files.put_session("auth-20231114-7", "garbage");
  const auto before = files.tree();
  files.reopen(false);
  must(files.store->list(context));
  must(get_workflow(context, *files.store, id));
  must(files.store->read(context, id));
  EXPECT_EQ(files.tree(), before);
}

}  // namespace
}  // namespace holdfast::inline v1
