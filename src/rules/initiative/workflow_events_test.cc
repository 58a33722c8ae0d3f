// Phases, interviews, delegations, the archive and the view, on both layouts.
#include <algorithm>

#include "rules/initiative/delegation.h"
#include "rules/initiative/interview.h"
#include "rules/initiative/phases.h"
#include "rules/initiative/two_layer.h"
#include "rules/initiative/workflow_archive.h"
#include "rules/initiative/workflow_testing.h"
#include "rules/initiative/workflow_view.h"

namespace holdfast::inline v1 {
namespace {

struct WorkflowEvents : Workflows {};
INSTANTIATE_TEST_SUITE_P(Workflow, WorkflowEvents, testing::Values("workflow"));
INSTANTIATE_TEST_SUITE_P(Native, WorkflowEvents, testing::Values("holdfast"));

TEST_P(WorkflowEvents, W04_FinishedWorkflowIsNoLongerActive) {
  const auto step = [&](std::string completed, std::string next) {
    return must(advance_phase(context, store,
                              {.project = project,
                               .completed = std::move(completed),
                               .next = std::move(next),
                               .context = "login form"}))
        .line;
  };
  step("analyze", "plan");
  EXPECT_EQ(memory(), "## Workflow State\n\n- Active APEX workflow: analyze completed, planning login form\n");
  step("plan", "implement");
  step("implement", "review");
  EXPECT_EQ(memory(), "## Workflow State\n\n- Active APEX workflow: implementation done, reviewing login form\n");
  const PhaseResult done =
      must(advance_phase(context, store, {.project = project, .next = "git-commit", .outcome = "all green"}));
  EXPECT_EQ(done.line, "Completed APEX for login form: all green");
  EXPECT_EQ(memory(), "## Workflow State\n\n- Completed APEX for login form: all green\n");
  EXPECT_TRUE(JsonView(must(read_phases(context, store, project))).find("active").is_null());
}

TEST_P(WorkflowEvents, W03_TerminalPhaseAlwaysWritesItsLine) {
  const PhaseResult done = must(advance_phase(
      context, store, {.project = project, .workflow = "ONESHOT", .next = "x-archive", .context = "typo"}));
  EXPECT_EQ(done.line, "Completed ONESHOT for typo: done");
  EXPECT_EQ(memory(), "## Workflow State\n\n- Completed ONESHOT for typo: done\n");
}

TEST_P(WorkflowEvents, W11_InterviewsTrackBaselineAndSkips) {
  InterviewEntry entry;
  entry.project = project;
  entry.skill = "x-plan";
  entry.confidence = {{"problem_understanding", 100}, {"risk_awareness", 50}};
  entry.weights = {{"problem_understanding", 0.8}, {"risk_awareness", 0.2}};
  entry.learning = "Ask about limits";
  must(record_interview(context, store, entry));
  EXPECT_EQ(memory(), "## Interview Patterns\n\n- Ask about limits\n");
  std::string read = must(read_interviews(context, store, project, "x-plan"));
  EXPECT_EQ(JsonView(read).find("baseline").as_int64(), 76) << "0.85 of 90: " << read;
  entry.confidence["risk_awareness"] = 100;
  must(record_interview(context, store, entry));
  read = must(read_interviews(context, store, project, "x-plan"));
  EXPECT_EQ(JsonView(read).find("baseline").as_int64(), 80) << "never above 80";
  EXPECT_TRUE(JsonView(read).find("max_questions").is_null());
  entry.confidence.clear();
  entry.skipped = true;
  for (int i = 0; i < 3; ++i) must(record_interview(context, store, entry));
  read = must(read_interviews(context, store, project, "x-plan"));
  EXPECT_EQ(JsonView(read).find("max_questions").as_int64(), 1);
  EXPECT_EQ(JsonView(must(read_interviews(context, store, project, "x-fix"))).find("skips").as_int64(), 0);
  entry.confidence = {{"charm", 1}};
  EXPECT_EQ(record_interview(context, store, entry).error().code, Code::invalid_argument);
}

TEST_P(WorkflowEvents, W11_OnlyNextEntryPrunesExpiredInterviews) {
  InterviewEntry entry;
  entry.project = project;
  entry.skill = "old";
  must(record_interview(context, store, entry));
  files.clock.step(std::chrono::hours(24));
  const auto before = files.tree();
  const std::string read = must(read_interviews(context, store, project, "old"));
  EXPECT_EQ(JsonView(read).find("sessions").raw(), "[]");
  EXPECT_EQ(JsonView(read).find("expired").as_int64(), 1);
  EXPECT_EQ(files.tree(), before);
  entry.skill = "new";
  must(record_interview(context, store, entry));
  EXPECT_EQ(JsonView(must(read_interviews(context, store, project, ""))).find("expired").as_int64(), 0);
  EXPECT_TRUE(must(clear_interviews(context, store, project)));
  EXPECT_FALSE(must(clear_interviews(context, store, project)));
}

TEST_P(WorkflowEvents, W11_DelegationsAreStoredAsMemoryLines) {
  must(record_delegation(context, store, {project, "tester", "unit tests", "two bugs"}));
  const std::size_t number = files.tree().size();
  must(record_delegation(context, store, {project, "tester", "unit tests", "two bugs"}));
  must(record_delegation(context, store, {project, "writer", "docs", ""}));
  EXPECT_EQ(must(list_delegations(context, store, project)),
            (std::vector<std::string>{"Delegated unit tests to tester: two bugs", "Delegated docs to writer"}));
  EXPECT_EQ(memory(),
            "## Delegation Patterns\n\n- Delegated unit tests to tester: two bugs\n- Delegated docs to writer\n");
  EXPECT_EQ(files.tree().size(), number) << "all of them are in one file";
  if (!native) {
    EXPECT_EQ(number, 2u) << "MEMORY.md and what was there";
  }
}

TEST_P(WorkflowEvents, W11_ViewShowsWorkflowAndWritesNothing) {
  must(create_initiative(context, store, {"login", {"M1"}}, event("Ask first")));
  must(
      advance_phase(context, store, {.project = project, .completed = "plan", .next = "implement", .context = "form"}));
  const auto before = files.tree();
  const std::string view = must(view_workflow(context, store, project));
  EXPECT_EQ(text_in(view, "text"),
            "Initiative login: created, at M1 (from initiative.json)\n  [ ] M1\nWorkflow APEX: implement, form\n"
            "Memory: Active APEX workflow: plan approved, implementing form\nLearnings: 1\n");
  EXPECT_EQ(files.tree(), before);
}

TEST_P(WorkflowEvents, W13_OnlyCompletedInitiativeCanBeArchived) {
  must(create_initiative(context, store, {"login", {"M1"}}, event()));
  EXPECT_FALSE(archive_initiative(context, store, {}, event()));
  must(set_initiative_status(context, store, "in_progress", event()));
  EXPECT_FALSE(archive_initiative(context, store, {}, event()));
  must(complete_milestone(context, store, {"M1", "", "as planned"}, event()));
  must(set_initiative_status(context, store, "completed", event()));
  const ArchivedInitiative done = must(archive_initiative(context, store, {.outcome = "shipped"}, event()));
  EXPECT_EQ(done.summary,
            "# login\n\nStatus: archived\nArchived: 2023-11-14T22:13:20.000Z\nOutcome: shipped\n\n## Milestones\n\n"
            "- M1: completed\n\n## Notes\n\n- M1: as planned\n");
  EXPECT_EQ(memory(), "## Workflow State\n\n- Completed INITIATIVE for login: shipped\n");
  EXPECT_EQ(must(read_initiative(context, store, project)).source, "");
  must(create_initiative(context, store, {"login", {"M1"}}, event()));
  must(set_initiative_status(context, store, "in_progress", event()));
  must(set_initiative_status(context, store, "completed", event()));
  const ArchivedInitiative again = must(archive_initiative(context, store, {.outcome = "again"}, event()));
  EXPECT_NE(again.path, done.path) << "the first summary stays";
  EXPECT_TRUE(again.path.contains("login-2")) << again.path;
}

TEST(WorkflowArchive, W13_RemovesFolderAndLimitsSummaryLength) {
  const std::string folder = "/project/documentation/milestones/_active/login";
  WorkflowStore files({{folder + "/README.md", "# Login\n\nA form\nfor people.\n"},
                       {folder + "/milestone-1.md", "- [x] a\n- [x] b\n"},
                       {folder + "/assets/deep/x.bin", std::string("\0\xff", 2)}});
  std::vector<std::string> milestones;
  for (int i = 1; i <= 200; ++i) milestones.push_back("M" + std::to_string(i));
  must(create_initiative(files.context, *files.store, {"login", milestones}));
  must(set_initiative_status(files.context, *files.store, "in_progress"));
  must(set_initiative_status(files.context, *files.store, "completed"));
  const ArchivedInitiative done = must(archive_initiative(files.context, *files.store, {.outcome = "shipped"}));
  EXPECT_EQ(std::ranges::count(done.summary, '\n'), 79);
  EXPECT_NE(done.summary.find("A form for people."), std::string::npos);
  EXPECT_NE(done.summary.find("- M1: pending (2 of 2 boxes)"), std::string::npos);
  EXPECT_EQ(files.bytes("/project/documentation/milestones/_archived/login.md"), done.summary);
  EXPECT_FALSE(files.disk.exists(folder));
  EXPECT_EQ(files.initiative(), "<none>");
  EXPECT_EQ(archive_initiative(files.context, *files.store, {.summary = std::string(80, '\n')}).error().code,
            Code::too_large);
}

}  // namespace
}  // namespace holdfast::inline v1
