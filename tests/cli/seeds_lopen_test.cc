// Lopen as its users see it: the command line, with text where people read text.
#include "tests/cli/cli_testing.h"
#include "tests/cli/ordinary_user_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

struct SeedsLopen : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    ASSERT_EQ(sh("mkdir -p .lopen/modules/auth docs/requirements/auth docs/requirements/billing && "
                 "printf '# Auth\\n\\n## A\\none\\n\\n## B\\ntwo\\n' > docs/requirements/auth/SPECIFICATION.md"),
              0);
  }
  int hf(const std::string& words) { return sh("$H " + words); }
  std::string start(const std::string& words = "--module auth --no-resume") {
    EXPECT_EQ(hf("session start --json " + words), 0) << err;
    return field({"id"});
  }
  std::string state() { return text("desk/.lopen/sessions/latest/state.json"); }
  std::string plan() { return text("desk/.lopen/modules/auth/plan.md"); }
};

TEST_F(SeedsLopen, OutsideAProjectReportsLopensError) {
  ASSERT_EQ(sh("mkdir $HOME/bare $HOME/repo $HOME/repo/.git"), 0);
  for (const char* const words : {"session list", "session start --module auth", "session show", "workflow get @last",
                                  "session prune --yes", "plan put --id auth --body x"}) {
    EXPECT_EQ(sh("cd $HOME/bare && HOLDFAST_STORE=lopen:. $H " + std::string(words)), 2) << words << out;
    EXPECT_TRUE(err.contains("No project found. Run from a directory with a .lopen/ or .git/ folder.")) << words << err;
    EXPECT_EQ(sh("test -e $HOME/bare/.lopen"), 1) << words;
  }
  EXPECT_EQ(sh("cd $HOME/repo && HOLDFAST_STORE=lopen:. $H session start --module auth"), 0) << err;
  EXPECT_EQ(sh("cd $HOME/bare && $H store create --store lopen:. && $H session start --module auth"), 0) << err;
}

TEST_F(SeedsLopen, L02_OptionalKeysFollowLopensOrder) {
  start();
  ASSERT_EQ(hf("workflow pause @last --resources '{\"specs\":[\"a\"]}' && $H task add @last api && "
               "$H workflow pause @last --commit abc123 && $H workflow pause @last --model gpt-5"),
            0)
      << err;
  std::string keys;
  const std::string file = state();
  for (const JsonItem& field : JsonView(file).fields()) keys += field.key() + " ";
  EXPECT_EQ(keys,
            "session_id phase step module component created_at updated_at is_complete models_used "
            "last_task_completion_commit_sha task_hierarchy project resources ");
  EXPECT_FALSE(file.contains('\n')) << file;
}

TEST_F(SeedsLopen, L03_MetricsCommandsPrintTheCounts) {
  start();
  EXPECT_EQ(hf("metrics get @last"), 0) << err;
  EXPECT_TRUE(out.contains("cumulative_input_tokens: 0\n")) << out;
  EXPECT_EQ(hf("metrics record @last --input-tokens 1200 --output-tokens 300 --premium"), 0) << err;
  EXPECT_TRUE(out.contains("cumulative_input_tokens: 1200\n")) << out;
  EXPECT_TRUE(out.contains("cumulative_output_tokens: 300\n")) << out;
  EXPECT_TRUE(out.contains("premium_request_count: 1\n")) << out;
  EXPECT_TRUE(out.contains("iteration_count: 1\n")) << out;
  EXPECT_FALSE(out.contains("phase:")) << out;
}

TEST_F(SeedsLopen, L06_WorkflowGetShowsStepTasksAndCounts) {
  start();
  ASSERT_EQ(hf("task add @last auth && $H task add @last api --parent auth && "
               "$H task add @last jwt --name 'Add JWT' --parent auth/api && $H metrics record @last --input-tokens 7"),
            0)
      << err;
  EXPECT_EQ(hf("workflow get @last"), 0) << err;
  EXPECT_TRUE(out.contains("step: DraftSpecification\n")) << out;
  EXPECT_TRUE(out.contains("tasks:\n  Pending     auth\n    Pending     api\n      Pending     jwt  Add JWT\n")) << out;
  EXPECT_TRUE(out.contains("cumulative_input_tokens: 7\n")) << out;
}

TEST_F(SeedsLopen, L06_CompleteFollowsTheTriggerTable) {
  start();
  const std::string before = state();
  EXPECT_EQ(hf("workflow complete @last"), 2) << out;
  EXPECT_TRUE(err.contains("ModuleComplete")) << err;
  EXPECT_EQ(state(), before);
  for (const char* const trigger : {"SpecApproved", "DependenciesDetermined", "ComponentsIdentified"})
    ASSERT_EQ(hf("workflow advance @last " + std::string(trigger)), 0) << err;
  EXPECT_EQ(hf("workflow complete @last"), 0) << err;
  EXPECT_TRUE(state().contains("\"is_complete\":true")) << state();
}

TEST_F(SeedsLopen, L07_RejectsSessionOfAnotherModule) {
  const std::string id = start();
  EXPECT_EQ(hf("session start --module billing --resume " + id), 2) << out;
  EXPECT_TRUE(err.contains("session " + id + " belongs to module auth, not to billing")) << err;
  EXPECT_EQ(hf("session start --module AUTH --resume " + id), 0) << err;
  EXPECT_TRUE(out.contains("resumed: true\n")) << out;
}

TEST_F(SeedsLopen, L07_CtrlCEndsThePrompt) {
  if (!has_tmux()) GTEST_SKIP() << "needs tmux";
  const std::string id = start();
  open_terminal(100, 24);
  type_line("$H session start --module auth");
  ASSERT_TRUE(shows("Resume which one?")) << screen();
  type_line("x");
  ASSERT_TRUE(shows("\n\"x\" names none of them\nIncomplete sessions:\n")) << screen();
  type("C-c");
  EXPECT_TRUE(shows("\n$")) << screen();  // of the shell
  type_line("echo \"left with $?\"");
  EXPECT_TRUE(shows("left with 130")) << screen();
  run_line("$H session delete " + id + " --dry-run");
  type_line("$H session delete " + id);
  ASSERT_TRUE(shows("Proceed?")) << screen();
  type("C-c");
  run_line("$H session list");
  EXPECT_TRUE(screen().contains(id.substr(0, 8))) << screen();
}

TEST_F(SeedsLopen, StartWarnsIfTheSessionCannotBeMarkedAsLatest) {
  start();
  EXPECT_FALSE(err.contains("latest")) << err;
  ASSERT_EQ(sh("rm .lopen/sessions/latest && mkdir .lopen/sessions/latest"), 0);
  for (int time = 0; time < 2; ++time) {
    ASSERT_EQ(hf("session start --module auth"), 0) << err;
    EXPECT_TRUE(out.contains("resumed: false\n")) << out;
    EXPECT_TRUE(
        err.contains("warning: .lopen/sessions/latest: not a symbolic link: it is left as it is, and no "
                     "session is marked as the latest\n"))
        << err;
  }
}

TEST_F(SeedsLopen, NamesOfSettingsAreNotCut) {
  if (!has_tmux()) GTEST_SKIP() << "needs tmux";
  ASSERT_EQ(hf("store configure '{\"format\":\"yaml\"}'"), 0) << err;
  open_terminal(80, 40);
  run_line("$H store settings");
  const std::string seen = screen();
  for (const char* const name : {"\nmodels.requirement_gathering ", "\nmodels.requirement_gathering_fallbacks ",
                                 "\ntool_discipline.max_command_retries ", "\nformat "})
    EXPECT_TRUE(seen.contains(name)) << name << seen;
  EXPECT_TRUE(seen.contains("/.lopen/config.json\n")) << "a path keeps its end: " << seen;
}

TEST_F(SeedsLopen, L09_CapitalizedModuleFindsItsPlanAndSpecification) {
  ASSERT_EQ(sh("printf -- '- [ ] api\\n' > .lopen/modules/auth/plan.md"), 0);
  start("--module Auth --no-resume");
  EXPECT_EQ(field({"warnings"}), "[]") << out;
  EXPECT_TRUE(state().contains("\"module\":\"Auth\"")) << state();
  EXPECT_EQ(hf("task add @last api && $H task set @last api InProgress && $H task set @last api Complete"), 0) << err;
  EXPECT_EQ(plan(), "- [x] api\n");
  EXPECT_EQ(hf("plan get Auth && $H spec get Auth"), 0) << err;
  EXPECT_EQ(hf("plan put --id Auth --body '- [ ] web' --append"), 0) << err;
  EXPECT_EQ(plan(), "- [x] api\n\n- [ ] web");
  EXPECT_EQ(hf("research add Auth topic --summary s"), 0) << err;
  EXPECT_EQ(sh("ls docs/requirements .lopen/modules"), 0);
  EXPECT_FALSE(out.contains("Auth")) << out;
}

TEST_F(SeedsLopen, L10_CapitalizedModuleFindsItsSection) {
  EXPECT_EQ(hf("cache section A --module Auth"), 0) << err;
  EXPECT_EQ(out, "one\n");
  EXPECT_EQ(hf("cache section A --module none"), 3) << out;
}

TEST_F(SeedsLopen, L09_DuplicatePlanItemsNeedPathOrNumber) {
  ASSERT_EQ(sh("printf -- '- [ ] api\\n  - [ ] Add JWT\\n- [ ] web\\n  - [ ] Add JWT\\n  - [ ] Add JWT\\n' "
               "> .lopen/modules/auth/plan.md"),
            0);
  const std::string before = plan();
  EXPECT_EQ(hf("plan tick auth 'Add JWT'"), 2) << out;
  EXPECT_TRUE(err.contains("api/Add JWT, web/Add JWT, web/Add JWT")) << err;
  EXPECT_EQ(plan(), before);
  EXPECT_EQ(hf("plan tick auth 'web/Add JWT' --number 2"), 0) << err;
  EXPECT_EQ(plan(), "- [ ] api\n  - [ ] Add JWT\n- [ ] web\n  - [ ] Add JWT\n  - [x] Add JWT\n");
  EXPECT_EQ(hf("plan tick auth 'api/Add JWT'"), 0) << err;
  EXPECT_EQ(plan(), "- [ ] api\n  - [x] Add JWT\n- [ ] web\n  - [ ] Add JWT\n  - [x] Add JWT\n");
  EXPECT_EQ(hf("plan tick auth web"), 0) << err;
  EXPECT_EQ(hf("plan tick auth 'Add JWT' --number 9"), 3) << out;
}

TEST_F(SeedsLopen, L05_LatestLinkOfMovedProjectIsRepaired) {
  const std::string first = start(), second = start();
  ASSERT_EQ(sh("ln -sfn $HOME/desk/.lopen/sessions/" + first +
               " .lopen/sessions/latest && mv $HOME/desk $HOME/moved && "
               "mkdir $HOME/desk && cd $HOME/moved && $H session show"),
            0)
      << err;
  EXPECT_TRUE(out.starts_with("# Session: " + first)) << out;
  ASSERT_EQ(sh("cd $HOME/moved && $H workflow pause @last && readlink .lopen/sessions/latest"), 0) << err;
  EXPECT_TRUE(out.ends_with("\n" + first + "\n")) << out;
  // A link that leads to its session stays as Lopen wrote it.
  ASSERT_EQ(sh("cd $HOME/moved && ln -sfn $HOME/moved/.lopen/sessions/" + second +
               " .lopen/sessions/latest && "
               "$H workflow pause @last && readlink .lopen/sessions/latest"),
            0)
      << err;
  EXPECT_TRUE(out.ends_with("\n" + home + "/moved/.lopen/sessions/" + second + "\n")) << out;
}

TEST_F(SeedsLopen, L12_NamesTheCorruptFile) {
  for (const std::string name : {"state.json", "metrics.json"}) {
    const std::string id = start();
    const std::string file = ".lopen/sessions/" + id + "/" + name;
    ASSERT_EQ(hf("metrics record @last --input-tokens 1"), 0) << err;
    ASSERT_EQ(sh("printf '{\"session_id\":' > " + file), 0);
    const std::vector<std::string> commands = {"session list",           "store findings",     "store verify",
                                               "verify --store lopen:.", "session show " + id, "workflow get " + id};
    for (const std::string& words : commands) {
      hf(words);
      EXPECT_TRUE((out + err).contains(file)) << words << "\n" << out << err;
      const std::string other = name == "state.json" ? "metrics.json" : "state.json";
      EXPECT_FALSE((out + err).contains(other)) << words << "\n" << out << err;
    }
    EXPECT_EQ(hf("session start --module auth"), 0) << err;
    EXPECT_TRUE(err.contains("warning: " + file + ": ")) << err;
    EXPECT_TRUE(err.contains("moved to .lopen/corrupted/" + id + ". Start a fresh session.")) << err;
  }
  EXPECT_EQ(hf("doctor --store lopen:."), 0) << err;
  EXPECT_TRUE(out.contains("unreadable sessions and documents set aside in .lopen/corrupted/: 2; ")) << out;
}

TEST_F(SeedsLopen, L12_PlanWithInvalidUtf8IsReported) {
  ASSERT_EQ(sh("printf -- '- [ ] \\377\\376 x\\n' > .lopen/modules/auth/plan.md"), 0);
  EXPECT_EQ(hf("plan get auth"), 4) << out;
  EXPECT_TRUE(err.contains("not a text in UTF-8: bad byte at 6 (.lopen/modules/auth/plan.md)")) << err;
  EXPECT_EQ(hf("plan list"), 0) << err;
  EXPECT_TRUE(err.contains("warning: .lopen/modules/auth/plan.md: not a text in UTF-8")) << err;
  EXPECT_EQ(hf("session start --module auth"), 0) << err;
  EXPECT_TRUE(err.contains("moved to .lopen/corrupted/modules/auth/plan.md. The module has no plan now.\n")) << err;
  EXPECT_FALSE(err.contains("fresh session")) << err;
  EXPECT_EQ(hf("doctor --store lopen:."), 0) << err;
  EXPECT_TRUE(out.contains("unreadable sessions and documents set aside in .lopen/corrupted/: 1; ")) << out;
  // Another plan of the same module is moved beside the first.
  ASSERT_EQ(sh("printf -- '- [ ] \\377\\376 y\\n' > .lopen/modules/auth/plan.md"), 0);
  EXPECT_EQ(hf("session start --module auth"), 0) << err;
  EXPECT_TRUE(err.contains("moved to .lopen/corrupted/modules/auth/plan.md-2.")) << err;
  EXPECT_EQ(hf("doctor --store lopen:."), 0) << err;
  EXPECT_TRUE(out.contains("unreadable sessions and documents set aside in .lopen/corrupted/: 2; ")) << out;
}

TEST_F(SeedsLopen, L15_PrunedSessionsAreReported) {
  for (int i = 0; i < 3; ++i) {
    start();
    for (const char* const trigger : {"SpecApproved", "DependenciesDetermined", "ComponentsIdentified"})
      ASSERT_EQ(hf("workflow advance @last " + std::string(trigger)), 0) << err;
    ASSERT_EQ(hf("workflow complete @last"), 0) << err;
  }
  EXPECT_EQ(hf("session prune --keep 2 --yes"), 0) << err;
  EXPECT_TRUE(out.starts_with("Pruned 1 session(s) (retention: 2).\nauth-")) << out;
  EXPECT_EQ(hf("session start --module billing --keep 1"), 0) << err;
  EXPECT_TRUE(err.contains("pruned 1 session: auth-")) << err;
}

TEST_F(SeedsLopen, L17_NoteLinkedUnderAnotherTitleIsNotLinkedAgain) {
  ASSERT_EQ(hf("research add auth tokens --summary s"), 0) << err;
  const std::string index = "# Research Index\n\n* [All about tokens](./RESEARCH-tokens.md#summary): read it first.\n";
  std::ofstream(home + "/desk/docs/requirements/auth/RESEARCH.md") << index;
  ASSERT_EQ(hf("research add auth tokens --summary more --replace"), 0) << err;
  EXPECT_EQ(text("desk/docs/requirements/auth/RESEARCH.md"), index);
  ASSERT_EQ(hf("research add auth keys --summary s"), 0) << err;
  EXPECT_EQ(text("desk/docs/requirements/auth/RESEARCH.md"), index + "- [keys](RESEARCH-keys.md)\n");
}

TEST_F(SeedsLopen, L20_ConfigureEditsTheNestedKey) {
  std::ofstream(home + "/desk/.lopen/config.json") << R"({"Session":{"SessionRetention":5,"Mine":1},"Other":2})";
  EXPECT_EQ(hf("store configure '{\"session_retention\":3,\"format\":\"yaml\"}'"), 0) << err;
  EXPECT_EQ(text("desk/.lopen/config.json"),
            R"({"Session":{"SessionRetention":3,"Mine":1},"Other":2,"format":"yaml"})");
  EXPECT_EQ(hf("store configure '{\"session_retention\":null}'"), 0) << err;
  EXPECT_EQ(text("desk/.lopen/config.json"), R"({"Session":{"Mine":1},"Other":2,"format":"yaml"})");
}

TEST_F(SeedsLopen, L20_SettingsArePrintedWithTheirSource) {
  std::ofstream(home + "/desk/.lopen/config.json") << R"({"session_retention":3})";
  EXPECT_EQ(sh("LOPEN_Session__AutoResume=false $H store settings"), 0) << err;
  const auto line = [&](const std::string& name) {
    const std::size_t at = ("\n" + out).find("\n" + name + " ");
    return at == std::string::npos ? std::string() : out.substr(at, out.find('\n', at) - at);
  };
  EXPECT_TRUE(line("session_retention").contains(" 3 ")) << out;
  EXPECT_TRUE(line("session_retention").ends_with(" " + home + "/desk/.lopen/config.json")) << out;
  EXPECT_TRUE(line("auto_resume").contains(" false ")) << out;
  EXPECT_TRUE(line("auto_resume").ends_with("LOPEN_Session__AutoResume")) << out;
  EXPECT_TRUE(line("budget.token_budget_per_module").contains(" 0 ")) << out;
}

TEST_F(SeedsLopen, L22_ResumeWarnsOfDrift) {
  start();
  ASSERT_EQ(sh("printf '# Auth\\n\\n## A\\nchanged\\n\\n## C\\nnew\\n' > docs/requirements/auth/SPECIFICATION.md"), 0);
  for (const char* const words : {"session resume", "session start --module auth"}) {
    EXPECT_EQ(hf(words), 0) << err;
    EXPECT_TRUE(
        err.contains("warning: docs/requirements/auth/SPECIFICATION.md has changed since the session was "
                     "last saved: changed \"A\", new \"C\", removed \"B\"\n"))
        << words << ": " << err;
  }
}

TEST_F(SeedsLopen, L22_DriftTakesEveryNameOfASession) {
  const std::string id = start();
  ASSERT_EQ(sh("printf '# Auth\\n\\n## A\\nchanged\\n\\n## B\\ntwo\\n' > docs/requirements/auth/SPECIFICATION.md"), 0);
  for (const std::string& name : {id, std::string("@last"), "lopen/" + id, std::string("auth-")}) {
    ASSERT_EQ(hf("spec drift auth --session " + name), 0) << name << err;
    EXPECT_TRUE(out.starts_with("known: true\n")) << name << out;
    EXPECT_TRUE(out.contains("\nA ")) << name << out;
  }
  EXPECT_EQ(hf("spec drift auth --session nonsense"), 3) << out;
}

TEST_F(SeedsLopen, L24_SpecListShowsSectionsAndMissingParts) {
  EXPECT_EQ(hf("spec list"), 0) << err;
  EXPECT_TRUE(out.starts_with("auth  docs/requirements/auth/SPECIFICATION.md\n  title: Auth\n")) << out;
  EXPECT_TRUE(out.contains("  # Auth\n  ## A\n  ## B\n  missing: front matter, name, description\n")) << out;
}

TEST_F(SeedsLopen, L17_RejectsHeadingInsidePartOfNote) {
  EXPECT_EQ(sh("$H research add auth Keys --summary \"$(printf 'one\n## Sources\ntwo')\""), 2) << out;
  EXPECT_TRUE(err.contains("would begin another part of the note")) << err;
  EXPECT_EQ(sh("test -e docs/requirements/auth/RESEARCH-Keys.md"), 1);
  EXPECT_EQ(sh("$H research add auth Keys --summary \"$(printf 'one\n### Sources\ntwo')\" --sources there"), 0) << err;
  EXPECT_EQ(hf("research add auth Keys --replace --sources here"), 0) << err;
  EXPECT_TRUE(text("desk/docs/requirements/auth/RESEARCH-Keys.md").contains("### Sources\ntwo\n")) << out;
  // A file that people wrote this way is refused, not guessed at.
  ASSERT_EQ(sh("printf '# Research: Odd\n\n## Summary\n\n## Sources\nmine\n\n## Sources\n' > "
               "docs/requirements/auth/RESEARCH-Odd.md"),
            0);
  EXPECT_EQ(hf("research add auth Odd --replace --sources new"), 2) << out;
  EXPECT_TRUE(err.contains("has 2 parts \"Sources\"")) << err;
}

TEST_F(SeedsLopen, L17_WarnsOfMissingModuleOrSection) {
  EXPECT_EQ(hf("research add auth One --section A --summary x"), 0) << err;
  EXPECT_FALSE(err.contains("section")) << err;
  EXPECT_EQ(hf("research add auth Two --section Tokens --summary x"), 0) << err;
  EXPECT_TRUE(err.contains("SPECIFICATION.md has no section \"Tokens\"")) << err;
  EXPECT_EQ(hf("research add aauth Three --summary x"), 0) << err;
  EXPECT_TRUE(err.contains("there was no directory docs/requirements/aauth")) << err;
}

TEST_F(SeedsLopen, L02_StateContainsTheProject) {
  start();
  EXPECT_EQ(std::string(JsonView(state()).find("project").as_string().value_or("")), home + "/desk") << state();
}

// L06: only the steps of the workflow complete a session.
TEST_F(SeedsLopen, L06_StatusCannotBypassTheSteps) {
  start();
  for (const char* const words : {"session update @last --status complete", "session end @last"}) {
    EXPECT_EQ(hf(words), 2) << words << out;
    EXPECT_TRUE(err.contains("workflow.advance")) << words << err;
    EXPECT_TRUE(state().contains("\"is_complete\":false")) << words << state();
  }
  EXPECT_EQ(hf("session update @last --status active --model gpt-5"), 0) << err;
}

TEST_F(SeedsLopen, L07_StartRejectsInvalidParameters) {
  EXPECT_EQ(sh("$H call session.start '{\"module\":\"auth\",\"settings\":{\"bogus\":1}}'"), 2) << out;
  EXPECT_TRUE(err.contains("there is no setting bogus")) << err;
  EXPECT_EQ(sh("$H call session.start '{\"module\":\"auth\",\"settings\":{\"budget\":{\"bogus\":1}}}'"), 2) << out;
  EXPECT_TRUE(err.contains("there is no setting budget.bogus")) << err;
  EXPECT_EQ(sh("$H call session.start '{\"module\":\"\"}'"), 2) << out;
  EXPECT_TRUE(err.contains("module must not be empty")) << err;
  EXPECT_EQ(hf("session start --module " + std::string(300, 'a')), 2) << out;
  EXPECT_TRUE(err.contains("must have at most")) << err;
  EXPECT_EQ(sh("ls .lopen/sessions 2>/dev/null | grep ."), 1) << out;
  EXPECT_EQ(sh("$H call session.start '{\"module\":\"auth\",\"settings\":{\"auto_resume\":false,\"Session\":"
               "{\"SessionRetention\":3}}}'"),
            0)
      << err;
}

TEST_F(SeedsLopen, L02_SubtaskCannotHaveChildren) {
  start();
  ASSERT_EQ(hf("task add @last api --json"), 0) << err;
  std::string parent = "api";
  for (const char* const name : {"one", "two", "three"}) {
    ASSERT_EQ(hf("task add @last " + std::string(name) + " --parent " + parent), 0) << err;
    parent = name;
  }
  EXPECT_EQ(hf("task add @last four --parent " + parent), 2) << out;
  EXPECT_TRUE(err.contains("below a subtask there can be no other task")) << err;
}

// ---- a failed command also reports what it found and did

TEST_F(SeedsLopen, L12_FailedCommandReportsFilesMovedAside) {
  ASSERT_EQ(sh("mkdir -p .lopen/sessions/auth-20260214-1 && echo '{' > .lopen/sessions/auth-20260214-1/state.json"), 0);
  EXPECT_EQ(hf("session delete auth-20260214-1 --yes --store lopen:."), 3) << out;
  EXPECT_TRUE(err.contains("warning: .lopen/sessions/auth-20260214-1/state.json: ")) << err;
  EXPECT_TRUE(err.contains("; moved to .lopen/corrupted/auth-20260214-1.")) << err;
  EXPECT_TRUE(
      err.contains("there is no session auth-20260214-1; .lopen/sessions/auth-20260214-1/state.json cannot be "
                   "read and was moved aside"))
      << err;
  start();
  ASSERT_EQ(sh("mkdir .lopen/sessions/auth-20260214-3 && echo '{' > .lopen/sessions/auth-20260214-3/state.json"), 0);
  EXPECT_EQ(hf("workflow advance @last Assess"), 2) << out;
  EXPECT_TRUE(err.contains("; moved to .lopen/corrupted/auth-20260214-3.")) << err;
  EXPECT_TRUE(err.contains("Assess")) << err;
  EXPECT_FALSE(err.contains("was moved aside")) << "another session was meant: " << err;
  ASSERT_EQ(sh("printf '\\377' > .lopen/modules/auth/plan.md"), 0);
  EXPECT_EQ(hf("plan tick auth A --json"), 3) << out;
  EXPECT_TRUE(check_json(err.substr(0, err.find('\n'))).ok()) << err;
  const JsonView error = JsonView(err).find("error");
  EXPECT_TRUE(error.find("code").is_string("not_found")) << err;
  EXPECT_TRUE(error.find("findings").raw().contains("moved to .lopen/corrupted/modules/auth/plan.md")) << err;
  EXPECT_TRUE(error.find("message").as_string().value_or("").ends_with("plan.md cannot be read and was moved aside"))
      << err;
}

TEST_F(SeedsLopen, L12_RpcErrorReportsFilesMovedAside) {
  ASSERT_EQ(sh("mkdir -p .lopen/sessions/auth-20260214-1 && echo '{' > .lopen/sessions/auth-20260214-1/state.json"), 0);
  RpcProcess door(home, {"--store", "lopen:" + home + "/desk"});
  const std::string refused = door.ask("workflow.pause", R"({"session":"auth-20260214-1"})");
  const JsonView data = JsonView(refused).find("error").find("data");
  EXPECT_TRUE(data.find("code").is_string("not_found")) << refused;
  EXPECT_TRUE(data.find("findings").raw().contains("moved to .lopen/corrupted/auth-20260214-1")) << refused;
  const std::string again = door.ask("workflow.pause", R"({"session":"auth-20260214-1"})");
  EXPECT_FALSE(JsonView(again).find("error").find("data").find("findings")) << "once is enough: " << again;
}

TEST_F(SeedsLopen, L22_DriftIsReportedOnceIfResumeSaved) {
  ASSERT_EQ(sh("printf '# A\n\n## Acceptance Criteria\n- [ ] a\n- [ ] b\n' > docs/requirements/auth/SPECIFICATION.md"),
            0);
  start();
  ASSERT_EQ(sh("sed -i 's/\\[ \\] a/[x] a/' docs/requirements/auth/SPECIFICATION.md"), 0);
  EXPECT_EQ(hf("session resume @last"), 0) << err;
  EXPECT_TRUE(err.contains("has changed since the session was last saved")) << err;
  EXPECT_EQ(hf("session resume @last"), 0) << err;
  EXPECT_FALSE(err.contains("has changed since")) << err;
}

TEST_F(SeedsLopen, TablesShowTheRequestedFields) {
  const std::string id = start();
  ASSERT_EQ(hf("session resumable"), 0) << err;
  EXPECT_TRUE(out.starts_with("id ")) << out;
  for (const char* const word : {"module", "phase", "step", "latest", "auth", "DraftSpecification", "true"})
    EXPECT_TRUE(out.contains(word)) << word << "\n" << out;
  ASSERT_EQ(sh("echo '{\"session_retention\":5}' > .lopen/config.json && $H store settings"), 0) << err;
  EXPECT_TRUE(out.contains("/desk/.lopen/config.json\n")) << out;
  ASSERT_EQ(sh("sed -i 's/\"is_complete\"/\"models_used\":[\"gpt\\\\u002B\"],\"is_complete\"/' .lopen/sessions/" + id +
               "/state.json && $H workflow get @last"),
            0)
      << err;
  EXPECT_TRUE(out.contains("models_used: [\"gpt+\"]\n")) << out << state();
}

TEST_F(SeedsLopen, L10_PlanItemIsOnlyPendingOrDone) {
  ASSERT_EQ(sh("printf -- '- [ ] C\n- [ ] D\n' > .lopen/modules/auth/plan.md"), 0);
  EXPECT_EQ(hf("plan tick auth C --status in_progress"), 2) << out;
  EXPECT_TRUE(err.contains("the items of a plan in layout lopen are pending or done, not in_progress")) << err;
  EXPECT_EQ(plan(), "- [ ] C\n- [ ] D\n");
  EXPECT_EQ(hf("plan tick auth C"), 0) << err;
  EXPECT_TRUE(plan().ends_with("- [x] C\n- [ ] D\n")) << plan();
}

TEST_F(SeedsLopen, L01_ReadOnlyFolderStopsTheStart) {
  start();
  EXPECT_NE(sh("ls -d .lopen/.proof*"), 0) << out;
  ASSERT_EQ(sh(give_home() + " && chmod 0555 .lopen"), 0) << err;
  const int code = sh(ordinary_holdfast() + "session start --module auth --no-resume");
  const std::string told = err;
  ASSERT_EQ(sh("chmod 0755 .lopen"), 0);
  EXPECT_EQ(code, 5) << out;
  EXPECT_TRUE(told.contains("/desk/.lopen/.proof.")) << told;
  EXPECT_TRUE(told.contains(" | OS Error: Permission denied")) << told;
}

}  // namespace
}  // namespace holdfast::inline v1
