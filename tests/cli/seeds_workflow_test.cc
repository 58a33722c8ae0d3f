// Two-layer persistence as its skills and people use it: the command line, with text where people read text.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct SeedsWorkflow : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    ASSERT_EQ(sh("mkdir .git .claude"), 0);
    // Only a directory with workflow state is a store by itself.
    ASSERT_EQ(sh("$H store create --store workflow:. && mkdir .holdfast && "
                 "echo 'store = \"workflow:.\"' > .holdfast/config.toml"),
              0)
        << err;
  }
  int hf(const std::string& words) { return sh("$H " + words); }
  std::string memory() { return text("desk/.claude/MEMORY.md"); }
  void finish(const std::string& name) {
    for (const std::string& words :
         {"initiative create " + name + " --milestones '[\"M1\"]'", std::string("initiative start M1"),
          std::string("initiative milestone M1"), std::string("initiative status completed")})
      ASSERT_EQ(hf(words), 0) << words << err;
  }
};

TEST_F(SeedsWorkflow, W03_RepeatedTerminalPhaseIsRecordedOnce) {
  ASSERT_EQ(hf("workflow phase plan --completed analyze --context 'login form'"), 0) << err;
  ASSERT_EQ(hf("workflow phase commit --outcome shipped"), 0) << err;
  const std::string state = text("desk/.claude/workflow-state.json"), before = memory();
  EXPECT_TRUE(before.contains("Completed APEX for login form: shipped")) << before;
  EXPECT_EQ(hf("workflow phase git-commit"), 0) << err;
  EXPECT_TRUE(out.contains("line: Completed APEX for login form: shipped")) << out;
  EXPECT_EQ(hf("workflow phase x-archive --workflow APEX --context 'login form'"), 0) << err;
  EXPECT_EQ(text("desk/.claude/workflow-state.json"), state);
  EXPECT_EQ(memory(), before);
  // Another outcome of the same workflow is written, too.
  EXPECT_EQ(hf("workflow phase git-commit --workflow APEX --context 'login form' --outcome reverted"), 0) << err;
  EXPECT_TRUE(memory().contains("Completed APEX for login form: reverted")) << memory();
  EXPECT_EQ(hf("workflow phase git-commit --outcome 'shipped again'"), 0) << err;
  EXPECT_TRUE(memory().contains("Completed APEX for login form: shipped again")) << memory();
  // Completing this workflow does not complete another.
  EXPECT_EQ(hf("workflow phase git-commit --workflow DEBUG --context crash --outcome fixed"), 0) << err;
  EXPECT_TRUE(memory().contains("Completed DEBUG for crash: fixed")) << memory();
}

// For programs, the answer also has the whole record.
TEST_F(SeedsWorkflow, W03_PastWorkflowsAreListedOnce) {
  const auto times = [&](std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = out.find(what); at != std::string::npos; at = out.find(what, at + 1)) ++count;
    return count;
  };
  ASSERT_EQ(hf("workflow phase plan --completed analyze --context 'login form'"), 0) << err;
  ASSERT_EQ(hf("workflow phase git-commit --outcome shipped"), 0) << err;
  ASSERT_EQ(hf("workflow state"), 0) << err;
  EXPECT_EQ(times("login form"), 1u) << out;
}

TEST_F(SeedsWorkflow, W04_LineOfReplacedWorkflowIsRemoved) {
  ASSERT_EQ(hf("workflow phase fix --completed troubleshoot --context 'crash on start'"), 0) << err;
  EXPECT_TRUE(memory().contains("- Active DEBUG workflow: root cause found, fixing crash on start\n"));
  ASSERT_EQ(hf("workflow phase design --completed brainstorm --context 'new ui, all of it'"), 0) << err;
  EXPECT_EQ(memory(), "## Workflow State\n\n- Active BRAINSTORM workflow: exploring → designing new ui, all of it\n");
}

// BRAINSTORM goes on with research or design; only the latter has a text of its own.
TEST_F(SeedsWorkflow, W04_OpeningPhaseBeginsItsWorkflow) {
  ASSERT_EQ(hf("workflow phase fix --completed troubleshoot --context 'crash on start'"), 0) << err;
  ASSERT_EQ(hf("workflow phase research --completed brainstorm --context 'new ui'"), 0) << err;
  EXPECT_EQ(memory(), "## Workflow State\n\n- Active BRAINSTORM workflow: brainstorm completed, researching new ui\n");
  ASSERT_EQ(hf("workflow phase design"), 0) << err;
  EXPECT_EQ(memory(), "## Workflow State\n\n- Active BRAINSTORM workflow: research completed, designing new ui\n");
  // A phase of the active workflow stays in it, whatever its name.
  ASSERT_EQ(hf("workflow phase analyze --completed collect --workflow SPIKE --context cache"), 0) << err;
  // The same again, as after an answer that was lost: analyze is no longer the current phase.
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(hf("workflow phase measure --completed analyze"), 0) << err;
    EXPECT_EQ(memory(), "## Workflow State\n\n- Active SPIKE workflow: analyze completed, measuring cache\n");
  }
}

TEST_F(SeedsWorkflow, W04_TwoWorkflowsOfOneKindHaveOneLineEach) {
  ASSERT_EQ(hf("workflow phase plan --completed analyze --context 'login form'"), 0) << err;
  ASSERT_EQ(hf("workflow phase plan --completed analyze --context 'billing page'"), 0) << err;
  EXPECT_EQ(memory(),
            "## Workflow State\n\n- Active APEX workflow: analyze completed, planning login form\n"
            "- Active APEX workflow: analyze completed, planning billing page\n");
  ASSERT_EQ(hf("workflow phase git-commit --workflow APEX --context 'login form' --outcome done"), 0) << err;
  EXPECT_TRUE(memory().contains("- Completed APEX for login form: done\n")) << memory();
  EXPECT_TRUE(memory().contains("planning billing page\n")) << memory();
}

TEST_F(SeedsWorkflow, W04_PhaseOfTwoWordsIsReplacedByTheNext) {
  ASSERT_EQ(hf("workflow phase 'test run' --completed implement --workflow APEX --context 'billing page'"), 0) << err;
  EXPECT_TRUE(out.contains("line: Active APEX workflow: implement completed, test running billing page")) << out;
  ASSERT_EQ(hf("workflow phase review"), 0) << err;
  EXPECT_EQ(memory(), "## Workflow State\n\n- Active APEX workflow: test run completed, reviewing billing page\n");
}

TEST_F(SeedsWorkflow, W05_GetNamesTheSource) {
  ASSERT_EQ(hf("initiative create login"), 0) << err;
  EXPECT_EQ(hf("initiative get"), 0) << err;
  EXPECT_TRUE(out.starts_with("source: initiative.json\n")) << out;
  EXPECT_TRUE(out.contains("  has state\n")) << "not whether a file exists: " << out;
}

TEST_F(SeedsWorkflow, W07_ResumeWarnsOfStaleAndCorrectedState) {
  ASSERT_EQ(hf("initiative create login --milestones '[\"M1\"]' && $H initiative start M1"), 0) << err;
  ASSERT_EQ(sh("sed -i 's/\"lastUpdated\": \"20../\"lastUpdated\": \"2020/; s/in_progress/created/' "
               ".claude/initiative.json && cat .claude/initiative.json"),
            0);
  ASSERT_EQ(hf("initiative resume"), 0) << err;
  EXPECT_TRUE(err.contains("warning: Initiative state may be stale — last updated ")) << err << out;
  EXPECT_TRUE(err.contains(" in WORKFLOW-STATUS.yaml, ")) << err;
  EXPECT_TRUE(err.contains(" days ago in initiative.json\n")) << err;
  EXPECT_TRUE(err.contains("Sync corrected: ")) << err;
  EXPECT_FALSE(out.contains("Sync corrected")) << out;
}

TEST_F(SeedsWorkflow, W09_LostLearningIsReported) {
  ASSERT_EQ(sh("mkdir .claude/MEMORY.md"), 0);
  EXPECT_EQ(hf("workflow phase plan --completed analyze --context x --learning 'use cmake'"), 0) << err;
  EXPECT_EQ(err, "warning: Auto-memory unavailable — learnings will not persist\n");
  EXPECT_EQ(hf("initiative create login --learning 'use cmake'"), 0) << err;
  EXPECT_EQ(err, "warning: Auto-memory unavailable — learnings will not persist\n");
}

TEST_F(SeedsWorkflow, W11_CompositeIsWeightedOverAllDimensions) {
  std::ofstream(home + "/desk/.claude/interview-state.json")
      << R"({"version":"1.0.0","workflow":"APEX","mode":"full","status":"gathering","gateStatus":"blocked",)"
         R"("confidence":{"problem":40,"context":30,"technical":30,"scope":20,"risk":20,"composite":28,)"
         R"("weights":{"problem":0.25,"context":0.2,"technical":0.2,"scope":0.2,"risk":0.15}}})";
  ASSERT_EQ(hf("interview record x-plan --confidence '{\"problem_understanding\":70}'"), 0) << err;
  const std::string file = text("desk/.claude/interview-state.json");
  const JsonView state(file);
  EXPECT_EQ(state.find("confidence").find("problem").raw(), "70");
  EXPECT_EQ(state.find("confidence").find("composite").raw(), "36.5") << file;
  EXPECT_EQ(state.find("expiresAt").as_string().value_or("").size(), 24u) << file;
  EXPECT_GT(state.find("expiresAt").as_string(), state.find("updatedAt").as_string());
  EXPECT_EQ(hf("interview record x-plan --confidence '{\"risk_awareness\":30}' --weights '{\"bogus\":1}'"), 2) << out;
  EXPECT_TRUE(err.contains("weights have no dimension bogus")) << err;
}

TEST_F(SeedsWorkflow, W13_NextInitiativeFollowsInTheSameProject) {
  finish("login");
  ASSERT_EQ(hf("initiative archive --yes --outcome shipped"), 0) << err;
  ASSERT_EQ(sh("$H initiative create next --milestones '[\"M1\"]'"), 0) << err;
  EXPECT_TRUE(text("desk/.claude/initiative.json").contains("next"));
}

TEST_F(SeedsWorkflow, W13_NobodyIsAskedAboutWhatCannotBeArchived) {
  for (const char* const how : {"", " --yes", " --dry-run"}) {
    EXPECT_EQ(hf(std::string("initiative archive") + how), 3) << how << err;
    EXPECT_TRUE(err.starts_with("holdfast: there is no initiative")) << how << err;
  }
  ASSERT_EQ(hf("initiative create login"), 0) << err;
  ASSERT_EQ(hf("initiative archive --yes"), 2) << err;
  const std::string refused = err;
  EXPECT_EQ(hf("initiative archive"), 2) << err;
  EXPECT_EQ(err, refused);
}

TEST_F(SeedsWorkflow, W13_ArchivingTheSameNameAgainAddsNumber) {
  for (const char* const file : {"login.md", "login-2.md", "login-3.md"}) {
    finish("login");
    ASSERT_EQ(hf("initiative archive --yes --outcome shipped"), 0) << err;
    EXPECT_TRUE(out.contains(std::string("path: documentation/milestones/_archived/") + file)) << out;
    EXPECT_FALSE(out.contains("# login")) << "the document is in that file: " << out;
    EXPECT_TRUE(text(std::string("desk/documentation/milestones/_archived/") + file).starts_with("# login\n"));
  }
  EXPECT_EQ(sh("test -e .claude/initiative.json || test -e documentation/milestones/_active/login"), 1);
}

TEST_F(SeedsWorkflow, W08_CompletedInitiativeIsNotReplacedSilently) {
  finish("login");
  const std::string before = text("desk/.claude/initiative.json");
  EXPECT_EQ(hf("initiative create search"), 2) << out;
  EXPECT_TRUE(err.contains("the initiative login is completed but not archived; run holdfast initiative archive"))
      << err;
  EXPECT_EQ(text("desk/.claude/initiative.json"), before);
  EXPECT_EQ(hf("initiative archive --yes && $H initiative create search"), 0) << err;
  EXPECT_EQ(hf("initiative create other --force"), 0) << err;
}

TEST_F(SeedsWorkflow, RepeatedMilestoneIsRecordedOnce) {
  ASSERT_EQ(hf("initiative create login --milestones '[\"M1\"]' && $H initiative start M1 && $H initiative milestone"),
            0)
      << err;
  const std::string before = text("desk/.claude/initiative.json");
  EXPECT_EQ(hf("initiative milestone"), 0) << err;
  EXPECT_EQ(text("desk/.claude/initiative.json"), before);
  EXPECT_EQ(hf("initiative milestone --notes 'reviewed, too'"), 0) << err;
  EXPECT_TRUE(text("desk/.claude/initiative.json").contains("reviewed, too"));
}

TEST_F(SeedsWorkflow, W03_RepeatedTerminalPhaseWithContextIsRecordedOnce) {
  ASSERT_EQ(hf("workflow phase plan --completed analyze --context 'login form'"), 0) << err;
  ASSERT_EQ(hf("workflow phase git-commit --outcome 'all green'"), 0) << err;
  const std::string state = text("desk/.claude/workflow-state.json"), before = memory();
  EXPECT_EQ(hf("workflow phase git-commit --context 'login form'"), 0) << err;
  EXPECT_TRUE(out.contains("line: Completed APEX for login form: all green")) << out;
  EXPECT_EQ(hf("workflow phase git-commit --workflow APEX"), 0) << err;
  EXPECT_EQ(text("desk/.claude/workflow-state.json"), state);
  EXPECT_EQ(memory(), before);
}

TEST_F(SeedsWorkflow, W11_RecordReturnsTheStoredComposite) {
  std::ofstream(home + "/desk/.claude/interview-state.json")
      << R"({"mode":"full","gateStatus":"blocked","confidence":{"problem":10,"context":10,"technical":10,"scope":10,)"
         R"("risk":10,"composite":10,"weights":{"problem":0.4,"context":0.2,"technical":0.2,"scope":0.1,"risk":0.1}}})";
  ASSERT_EQ(hf("interview record w --confidence '{\"problem_understanding\":40}' --json"), 0) << err;
  EXPECT_EQ(JsonView(out).find("interview").find("confidence").find("composite").raw(), "22") << out;
  EXPECT_EQ(hf("interview record w --confidence '{\"problem\":40}'"), 2) << out;
  EXPECT_TRUE(err.contains("confidence has no dimension problem; the dimensions are problem_understanding, ")) << err;
}

TEST_F(SeedsWorkflow, W11_InterviewGetShowsTheNumbers) {
  ASSERT_EQ(hf("interview record x-plan --questions-asked 2 --confidence '{\"problem_understanding\":80}'"), 0) << err;
  ASSERT_EQ(hf("interview get x-plan"), 0) << err;
  EXPECT_TRUE(out.contains("baseline: 68\n")) << out;
  EXPECT_TRUE(out.contains("skill   recorded")) << out;
  EXPECT_TRUE(out.contains("composite  asked  skipped\nx-plan  ")) << out;
  EXPECT_TRUE(out.contains("  80         2\n")) << out;
}

TEST_F(SeedsWorkflow, W11_ContextShowsEverything) {
  ASSERT_EQ(hf("initiative context"), 0) << err;
  EXPECT_EQ(out, "no initiative\n");
  ASSERT_EQ(hf("initiative create login --milestones '[\"M1\"]'"), 0) << err;
  ASSERT_EQ(hf("workflow phase plan --completed analyze --context 'login form'"), 0) << err;
  ASSERT_EQ(hf("memory learn 'ask first' && $H delegation record --agent critic --task review"), 0) << err;
  const auto expect_all = [&] {
    ASSERT_EQ(hf("initiative context"), 0) << err;
    for (const char* const line :
         {"source: initiative.json\n", "\nname: login\n", "\nprogress.M1: ", "\nworkflow.type: APEX\n",
          "\nworkflow.phase: plan\n", "\nworkflow.context: login form\n",
          "\nworkflow.phases.analyze.status: completed\n",
          "\nmemory: Active APEX workflow: ", "\ndelegation: Delegated review to critic", "\nlearning: ask first\n"})
      EXPECT_TRUE(("\n" + out).contains(line)) << line << out;
  };
  expect_all();
  ASSERT_EQ(hf("interview record x-plan --confidence '{\"problem_understanding\":80}'"), 0) << err;
  expect_all();
  EXPECT_TRUE(out.contains("\nbaseline: 68\n") && out.contains("composite  asked  skipped\nx-plan  ")) << out;
}

// Three skips of a skill limit its questions, not one skip each of three.
TEST_F(SeedsWorkflow, W11_InterviewsOfSeveralSkillsLimitNone) {
  ASSERT_EQ(hf("interview record a --confidence '{\"problem_understanding\":80}'"), 0) << err;
  for (const char* const skill : {"b", "c", "d"})
    ASSERT_EQ(hf(std::string("interview record ") + skill + " --skipped --skip-reason r"), 0) << err;
  ASSERT_EQ(hf("interview get"), 0) << err;
  EXPECT_TRUE(out.starts_with("skips: 3\n\nskill")) << out;
  ASSERT_EQ(hf("interview get a"), 0) << err;
  EXPECT_TRUE(out.contains("baseline: 68\n")) << out;
  for (int i = 0; i < 2; ++i) ASSERT_EQ(hf("interview record b --skipped --skip-reason r"), 0) << err;
  ASSERT_EQ(hf("interview get b"), 0) << err;
  EXPECT_TRUE(out.contains("skips: 3\nmax_questions: 1\n")) << out;
}

TEST_F(SeedsWorkflow, W05_WarningNamesTheSourceOfTheClaim) {
  ASSERT_EQ(hf("initiative create login --milestones '[\"M1\",\"M2\"]' && $H initiative start M1"), 0) << err;
  ASSERT_EQ(sh("sed -i 's/\"M1\":\"in_progress\"/\"M1\":\"completed\"/; "
               "s/\"lastUpdated\": \"20../\"lastUpdated\": \"2020/; s/\"status\": \"in_progress\"/\"status\": "
               "\"created\"/' .claude/initiative.json && "
               "printf -- '- [x] a\n- [ ] b\n' > documentation/milestones/_active/login/milestone-1.md"),
            0);
  ASSERT_EQ(hf("initiative get"), 0) << err;
  EXPECT_TRUE(out.starts_with("source: WORKFLOW-STATUS.yaml\n")) << out;
  EXPECT_TRUE(err.contains("initiative.json says that M1 is completed, but 1 of 2 boxes")) << err;
}

TEST_F(SeedsWorkflow, W05_UnreadableSourceIsReported) {
  ASSERT_EQ(hf("initiative create login"), 0) << err;
  ASSERT_EQ(sh("printf 'active: [\n' > documentation/milestones/_active/login/WORKFLOW-STATUS.yaml"), 0);
  for (const char* const words : {"initiative get", "initiative context"}) {
    EXPECT_EQ(hf(words), 0) << err;
    EXPECT_TRUE(err.contains("warning: documentation/milestones/_active/login/WORKFLOW-STATUS.yaml cannot be read ("))
        << words << err;
  }
}

TEST_F(SeedsWorkflow, W02_TaskIsKeptAsItWasGiven) {
  ASSERT_EQ(hf("initiative create login --milestones '[\"M1\"]' && $H initiative task 'line\ntwo  '"), 0) << err;
  EXPECT_TRUE(text("desk/.claude/initiative.json").contains(R"("lastAction":"line\ntwo  ")"))
      << text("desk/.claude/initiative.json");
}

TEST_F(SeedsWorkflow, W09_FailedLearningUsesTheSeedsMessage) {
  ASSERT_EQ(sh("mkdir .claude/MEMORY.md"), 0);
  EXPECT_EQ(hf("memory learn 'use cmake'"), 5) << out;
  EXPECT_TRUE(err.contains("Auto-memory unavailable — learnings will not persist")) << err;
}

struct WorkflowStores : CliHome {};

TEST_F(WorkflowStores, W13_WorktreeFindsStateOfItsMainDirectory) {
  ASSERT_EQ(sh("mkdir main && cd main && git init -q . && "
               "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && mkdir .claude && "
               "$H initiative create login --milestones '[\"M1\"]' --store workflow:. && "
               "git worktree add -q ../tree && mkdir ../tree/deep"),
            0)
      << err;
  for (const char* const where : {"main", "tree", "tree/deep"}) {
    EXPECT_EQ(sh("cd " + std::string(where) + " && $H initiative get"), 0) << where << err;
    EXPECT_TRUE(out.contains("name: login\n")) << where << out;
  }
  EXPECT_EQ(sh("cd tree && $H initiative start M1 && $H initiative task x"), 0) << err;
  EXPECT_TRUE(text("desk/main/.claude/initiative.json").contains("\"lastAction\":\"x\""));
  ASSERT_EQ(sh("mkdir tree/.claude && cd tree && $H session list --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << "one initiative, however many trees: " << out;
  EXPECT_EQ(sh("test -e $HOME/.local/share/holdfast/FORMAT"), 1);
}

TEST_F(WorkflowStores, MissingProjectCreatesNoStore) {
  for (const char* const words :
       {"initiative create a", "workflow phase plan --completed analyze --context x", "interview record s",
        "memory learn x", "memory put a --body b", "plan put x", "delegation record --agent a --task t"}) {
    EXPECT_EQ(sh("$H " + std::string(words)), 2) << words << out;
    EXPECT_TRUE(err.contains(" needs a project")) << words << err;
    EXPECT_EQ(sh("test -e $HOME/.local/share/holdfast"), 1) << words;
  }
}

// ---- adoption: the hooks of an agent

struct WorkflowHooks : CliHome {
  std::string settings() { return text(".claude/settings.json"); }
  int hf(const std::string& words) { return sh("$H " + words); }
};

TEST_F(WorkflowHooks, InstallAsksFirstAndUninstallReverts) {
  const std::string before =
      "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": []}\n    ]\n  }\n}\n";
  std::filesystem::create_directories(home + "/.claude");
  std::ofstream(home + "/.claude/settings.json") << before;
  EXPECT_EQ(hf("hooks install claude-code"), 2) << out;
  EXPECT_TRUE(err.contains("this would add to " + home + "/.claude/settings.json: \"SessionStart\":[{\"hooks\":[{"))
      << err;
  EXPECT_TRUE(err.contains("hooks run claude-code --project \\\"$CLAUDE_PROJECT_DIR\\\"")) << err;
  EXPECT_EQ(hf("hooks install claude-code --dry-run"), 0) << err;
  EXPECT_TRUE(out.starts_with("would add to ")) << out;
  EXPECT_EQ(settings(), before);
  EXPECT_EQ(hf("hooks install claude-code --yes"), 0) << err;
  EXPECT_TRUE(out.contains("changed: true")) << out;
  const std::string after = settings();
  EXPECT_TRUE(check_json(after).ok()) << after;
  EXPECT_TRUE(after.contains("\"model\": \"opus\"")) << after;
  EXPECT_EQ(hf("hooks install claude-code --yes"), 0) << err;
  EXPECT_EQ(settings(), after) << "once";
  EXPECT_EQ(hf("hooks uninstall claude-code"), 2) << out;
  EXPECT_EQ(hf("hooks uninstall claude-code --yes"), 0) << err;
  EXPECT_EQ(settings(), before);
  EXPECT_EQ(hf("hooks uninstall claude-code --yes"), 0) << err;
}

TEST_F(WorkflowHooks, InstallCreatesSettingsAndFollowsSymlink) {
  ASSERT_EQ(sh("mkdir $HOME/dotfiles $HOME/.claude && echo '{}' > $HOME/dotfiles/settings.json && "
               "ln -s ../dotfiles/settings.json $HOME/.claude/settings.json"),
            0);
  EXPECT_EQ(hf("hooks install claude-code --yes"), 0) << err;
  EXPECT_EQ(sh("test -L $HOME/.claude/settings.json"), 0);
  EXPECT_TRUE(text("dotfiles/settings.json").contains("hooks run claude-code")) << text("dotfiles/settings.json");
  EXPECT_EQ(hf("hooks install claude-code --project . --yes"), 0) << err;
  const std::string made = text("desk/.claude/settings.json");
  EXPECT_TRUE(made.starts_with("{\n  \"hooks\": {\n    \"SessionStart\": [\n")) << made;
  EXPECT_TRUE(made.contains("hooks run claude-code")) << made;
  std::ofstream(home + "/dotfiles/settings.json") << "{ // mine\n}";
  EXPECT_EQ(hf("hooks install claude-code --yes"), 4) << out;
  EXPECT_TRUE(err.contains(home + "/dotfiles/settings.json")) << err;
  EXPECT_EQ(text("dotfiles/settings.json"), "{ // mine\n}");
  EXPECT_EQ(hf("hooks install codex --yes"), 2) << out;
}

TEST_F(WorkflowHooks, InstallChangesProgramOfHookThatIsThere) {
  ASSERT_EQ(hf("hooks install claude-code --yes"), 0) << err;
  const std::string before = settings();
  EXPECT_EQ(hf("hooks install claude-code --program /opt/hf --dry-run"), 0) << err;
  EXPECT_EQ(out, "would make the hook in " + home + "/.claude/settings.json run /opt/hf\n");
  EXPECT_EQ(settings(), before);
  ASSERT_EQ(hf("hooks install claude-code --program /opt/hf --yes"), 0) << err;
  EXPECT_TRUE(out.contains("changed: true")) << out;
  const std::string after = settings();
  EXPECT_TRUE(after.contains("\"/opt/hf hooks run claude-code") && !after.contains("\"holdfast hooks run")) << after;
  for (const std::string same : {"", " --program /opt/hf"}) {
    ASSERT_EQ(hf("hooks install claude-code --yes" + same), 0) << err;
    EXPECT_TRUE(out.contains("changed: false")) << out;
    EXPECT_EQ(settings(), after);
  }
}

TEST_F(WorkflowHooks, InstallCreatesNoProject) {
  for (const std::string verb : {"install", "uninstall"}) {
    EXPECT_EQ(hf("hooks " + verb + " claude-code --project $HOME/tyop/proj --yes"), 3) << out;
    EXPECT_TRUE(err.contains(home + "/tyop/proj")) << err;
  }
  EXPECT_FALSE(std::filesystem::exists(home + "/tyop"));
}

// Runs the command from the settings word for word, as Claude Code does.
TEST_F(WorkflowHooks, HookPrintsStateOnlyIfWorkflowExists) {
  ASSERT_EQ(sh("$H hooks install claude-code --yes --program \"$H\""), 0) << err;
  std::string command;
  const std::string file = settings();
  for (const JsonItem& entry : JsonView(file).find("hooks").find("SessionStart").elements())
    for (const JsonItem& hook : entry.value.find("hooks").elements())
      command = hook.value.find("command").as_string().value_or("");
  std::ofstream(home + "/hook") << command << "\n";
  const std::string run = "echo '{\"hook_event_name\":\"SessionStart\"}' | CLAUDE_PROJECT_DIR=$HOME/desk sh $HOME/hook";
  EXPECT_EQ(sh(run), 0) << err;
  EXPECT_EQ(out + err, "") << "a project without .claude";
  ASSERT_EQ(sh("mkdir .claude && echo '{}' > .claude/settings.json"), 0);
  EXPECT_EQ(sh(run), 0) << err;
  EXPECT_EQ(out + err, "") << "a project without a workflow";
  EXPECT_EQ(sh("ls -A .claude"), 0);
  EXPECT_EQ(out, "settings.json\n") << "and nothing is written there";
  ASSERT_EQ(sh("$H initiative create login --milestones '[\"M1\"]' --store workflow:. && "
               "$H initiative start M1 --next-action 'write the form' --store workflow:."),
            0)
      << err;
  EXPECT_EQ(sh("cd / && " + run), 0) << err;
  EXPECT_TRUE(out.starts_with("Initiative login: in_progress, at M1")) << out;
  EXPECT_TRUE(out.contains("Next: write the form\n")) << out;
  ASSERT_EQ(sh("echo garbage > .claude/initiative.json"), 0);
  EXPECT_EQ(sh(run), 0) << "it stops no session: " << err;
}

// Also runs the command word for word.
TEST_F(WorkflowHooks, CaptureAtSessionEndIsAnOption) {
  const std::string before = "{\n  \"model\": \"opus\"\n}\n";
  std::filesystem::create_directories(home + "/.claude");
  std::ofstream(home + "/.claude/settings.json") << before;
  const auto command_at = [&](const std::string& event) {
    std::string command;
    const std::string file = settings();
    for (const JsonItem& entry : JsonView(file).find("hooks").find(event).elements())
      for (const JsonItem& hook : entry.value.find("hooks").elements())
        command += hook.value.find("command").as_string().value_or("");
    return command;
  };
  ASSERT_EQ(hf("hooks install claude-code --yes"), 0) << err;
  EXPECT_EQ(command_at("SessionEnd"), "");
  EXPECT_EQ(hf("hooks install claude-code --capture"), 2) << out;
  EXPECT_TRUE(err.contains("settings.json: \"SessionEnd\":[{\"hooks\":[{")) << err;
  for (const std::string words : {"--capture", "--capture", ""}) {
    ASSERT_EQ(hf("hooks install claude-code --yes " + words), 0) << err;
    EXPECT_EQ(command_at("SessionStart"), "holdfast hooks run claude-code --project \"$CLAUDE_PROJECT_DIR\"");
    EXPECT_EQ(command_at("SessionEnd"), "holdfast hooks run claude-code --capture --project \"$CLAUDE_PROJECT_DIR\"");
  }
  ASSERT_EQ(hf("hooks install claude-code --yes --program \"$H\""), 0) << "both: " << err;
  EXPECT_TRUE(command_at("SessionStart").starts_with(paths::binary())) << settings();
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"a prompt\"");
  std::ofstream(home + "/hook") << command_at("SessionEnd") << "\n";
  const std::string run = "echo '{\"hook_event_name\":\"SessionEnd\"}' | CLAUDE_PROJECT_DIR=$HOME/desk sh $HOME/hook";
  EXPECT_EQ(sh(run), 0) << err;
  EXPECT_EQ(out + err, "");
  ASSERT_EQ(hf("archive status --json"), 0) << err;
  EXPECT_EQ(field({"sessions"}), "1") << out;
  ASSERT_EQ(sh("rm -r $HOME/.local/share/holdfast/archive && touch $HOME/.local/share/holdfast/archive"), 0) << err;
  EXPECT_EQ(sh(run), 0) << "it stops no session: " << err;
  EXPECT_TRUE(out.starts_with("! ")) << out;
  ASSERT_EQ(hf("hooks uninstall claude-code --yes"), 0) << err;
  EXPECT_EQ(settings(), before);
}

TEST_F(WorkflowHooks, TextForTheAgentNamesExistingCommands) {
  ASSERT_EQ(hf("hooks text claude-code"), 0) << err;
  const std::string told = out;
  ASSERT_TRUE(told.starts_with("## Workflow state\n")) << told;
  int commands = 0;
  for (std::size_t at = told.find("`holdfast "); at != std::string::npos; at = told.find("`holdfast ", at + 1)) {
    std::string words = told.substr(at + 10, told.find('`', at + 1) - at - 10);
    const std::size_t second = words.find(' ', words.find(' ') + 1);
    EXPECT_EQ(hf("help " + words.substr(0, second)), 0) << words << err;
    ++commands;
  }
  EXPECT_GE(commands, 11);
}

}  // namespace
}  // namespace holdfast::inline v1
