// Lopen's sessions, row by row of the mission, as the files and the text that a user of the command line sees.
#include "tests/cli/cli_testing.h"
#include "tests/cli/ordinary_user_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

struct RowsLopen : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    ASSERT_EQ(sh("mkdir -p .lopen docs/requirements/auth docs/requirements/billing && "
                 "printf '# Auth\\n\\n## A\\none\\n' > docs/requirements/auth/SPECIFICATION.md"),
              0);
  }
  int hf(const std::string& words) { return sh("$H " + words); }
  std::string start(const std::string& module = "auth") {
    EXPECT_EQ(hf("session start --json --no-resume --module " + module), 0) << err;
    return field({"id"});
  }
  std::string state(const std::string& id) const { return text("desk/.lopen/sessions/" + id + "/state.json"); }
  void criteria(const std::string& boxes) const {
    std::ofstream(home + "/desk/docs/requirements/auth/SPECIFICATION.md")
        << "# Auth\n\n## Acceptance Criteria\n"
        << boxes << "\n## Notes\n- [x] not a criterion\n";
  }
  std::string latest() {
    sh("readlink .lopen/sessions/latest");
    return out.substr(0, out.find('\n'));
  }
};

// The step that the session stores is a hint; the checkboxes of the specification decide.
TEST_F(RowsLopen, L08_ResumeTakesStepFromSpecification) {
  criteria("- [ ] a\n- [ ] b\n");
  const std::string id = start();
  for (const char* const trigger : {"SpecApproved", "DependenciesDetermined", "ComponentsIdentified"})
    ASSERT_EQ(hf("workflow advance @last " + std::string(trigger)), 0) << err;
  const auto stands = [&](const std::string& words, const std::string& phase, const std::string& step) {
    EXPECT_EQ(hf(words), 0) << err;
    EXPECT_TRUE(out.contains("phase: " + phase + "\nstep: " + step + "\n")) << words << "\n" << out;
    EXPECT_TRUE(state(id).contains("\"phase\":\"" + phase + "\",\"step\":\"" + step + "\"")) << state(id);
  };
  stands("session resume", "Planning", "SelectNextComponent");  // no box is checked: the hint counts
  criteria("- [x] a\n- [ ] b\n");
  stands("session resume", "Building", "IterateThroughTasks");
  criteria("- [x] a\n- [x] b\n");
  stands("session start --module auth", "Building", "Repeat");
  criteria("- [ ] a\n- [x] b\n");
  stands("session start --module auth --resume " + id, "Building", "IterateThroughTasks");
  ASSERT_EQ(sh("rm docs/requirements/auth/SPECIFICATION.md"), 0);
  stands("session resume " + id, "RequirementGathering", "DraftSpecification");
}

TEST_F(RowsLopen, L08_RpcReturnsHintAndStep) {
  criteria("- [ ] a\n- [ ] b\n");
  const std::string id = start();
  criteria("- [x] a\n- [ ] b\n");
  RpcProcess door(home, {"--store", "lopen:" + home + "/desk"});
  const std::string answer = door.ask("session.resume", R"({"id":")" + id + "\"}");
  const JsonView result = JsonView(answer).find("result");
  EXPECT_TRUE(result.find("hint").is_string("draft-spec")) << answer;
  EXPECT_TRUE(result.find("workflow").find("step").is_string("IterateThroughTasks")) << answer;
  EXPECT_EQ(result.find("workflow").find("step_number").as_int64(), 6) << answer;
}

// A new session also begins where the specification is: one of more than 100 bytes counts as drafted.
TEST_F(RowsLopen, L08_NewSessionTakesStepFromSpecification) {
  ASSERT_EQ(hf("session start --no-resume --module auth"), 0) << err;
  EXPECT_TRUE(out.contains("step: DraftSpecification\n")) << out;
  criteria("- [ ] " + std::string(100, 'a') + "\n");
  ASSERT_EQ(hf("session start --no-resume --module auth"), 0) << err;
  EXPECT_TRUE(out.contains("step: DetermineDependencies\n")) << out;
  criteria("- [x] a\n- [ ] b\n");
  ASSERT_EQ(hf("session start --no-resume --module auth"), 0) << err;
  EXPECT_TRUE(out.contains("step: IterateThroughTasks\n")) << out;
}

TEST_F(RowsLopen, L13_FailedSavePausesUntilResumeSucceeds) {
  const std::string id = start(), as = ordinary_holdfast();
  ASSERT_EQ(sh(give_home()), 0) << err;
  ASSERT_EQ(sh(as + "workflow advance @last SpecApproved"), 0) << err;
  const std::string saved = state(id);
  const std::string folder = ".lopen/sessions/" + id;
  ASSERT_EQ(sh("chmod 0500 " + folder), 0);
  EXPECT_EQ(sh(as + "workflow advance @last DependenciesDetermined"), 5) << out;
  EXPECT_TRUE(err.contains("the workflow is paused: its state cannot be saved | Path: " + home + "/desk/" + folder +
                           "/state.json | OS Error: Permission denied (0x0000000d) | Details: "))
      << err;
  const std::string path = "/state.json";
  EXPECT_EQ(err.find(path), err.rfind(path)) << err;
  EXPECT_EQ(err.find("Permission denied"), err.rfind("Permission denied")) << err;
  const auto refused = [&](const std::string& when) {
    for (const char* const words : {"workflow advance @last DependenciesDetermined", "task add @last api",
                                    "metrics record @last --input-tokens 1", "workflow pause @last"}) {
      EXPECT_EQ(sh(as + words), 5) << when << words << out;
      EXPECT_TRUE(err.contains("session " + id + " is paused until it is resumed, because a save failed: ")) << err;
      EXPECT_TRUE(err.contains("OS Error: Permission denied (0x0000000d)")) << err;
    }
  };
  refused("while it cannot be written: ");
  EXPECT_EQ(sh(as + "workflow get @last"), 0) << err;
  EXPECT_TRUE(out.contains("step: DetermineDependencies\n")) << "what was acknowledged is there: " << out;
  EXPECT_TRUE(out.contains("paused: the workflow is paused: its state cannot be saved | Path: ")) << out;
  // A resume fails the check as long as the cause remains.
  for (const char* const words : {"session resume", "session start --module auth"}) {
    EXPECT_EQ(sh(as + words), 5) << words << out;
    EXPECT_TRUE(err.contains(" | Path: " + home + "/desk/" + folder + "/.proof.")) << words << err;
    EXPECT_TRUE(err.contains(" | OS Error: Permission denied (0x0000000d)")) << words << err;
  }
  ASSERT_EQ(sh("chmod 0700 " + folder), 0);
  refused("nobody has resumed it: ");
  EXPECT_EQ(state(id), saved);
  EXPECT_EQ(sh(as + "session resume"), 0) << err;
  EXPECT_EQ(sh(as + "workflow advance @last DependenciesDetermined"), 0) << err;
  EXPECT_TRUE(out.contains("step: IdentifyComponents\n")) << out;
  EXPECT_FALSE(out.contains("paused:")) << out;
  EXPECT_NE(sh("ls -d " + folder + "/.proof*"), 0) << out;
}

TEST_F(RowsLopen, L13_FullDiskPausesAndNamesTheCause) {
  const std::string disk = home + "/desk/disk";
  if (::geteuid() != 0 || sh("mkdir disk && mount -t tmpfs -o size=600k tmpfs disk") != 0)
    GTEST_SKIP() << "mounting a small disk needs root";
  const auto there = [&](const std::string& words) { return sh("cd disk && $H " + words); };
  EXPECT_EQ(sh("mkdir -p disk/.lopen disk/docs/requirements/auth && cp docs/requirements/auth/SPECIFICATION.md "
               "disk/docs/requirements/auth"),
            0);
  EXPECT_EQ(there("session start --module auth"), 0) << err;
  sh("cat /dev/zero > disk/filler");
  EXPECT_EQ(there("workflow advance @last SpecApproved"), 5) << out;
  EXPECT_TRUE(err.contains("the workflow is paused: its state cannot be saved | Path: " + disk + "/.lopen/")) << err;
  EXPECT_TRUE(err.contains(" | OS Error: No space left on device (0x0000001c) | Details: ")) << err;
  EXPECT_EQ(there("session resume"), 5) << out;
  EXPECT_EQ(sh("rm disk/filler"), 0);
  EXPECT_EQ(there("workflow advance @last SpecApproved"), 5) << out;
  EXPECT_TRUE(err.contains("is paused until it is resumed")) << err;
  EXPECT_EQ(there("session resume && $H workflow advance @last SpecApproved"), 0) << err;
  EXPECT_TRUE(out.contains("step: DetermineDependencies\n")) << out;
  EXPECT_EQ(sh("umount disk"), 0) << err;
}

TEST_F(RowsLopen, L14_OnlySessionWithBrokenStateIsNotNoSession) {
  const std::string id = start();
  std::ofstream(home + "/desk/.lopen/sessions/" + id + "/state.json") << "{";
  ASSERT_EQ(hf("session list"), 0) << err;
  EXPECT_TRUE(err.contains("state.json: not JSON") && err.ends_with("\nno sessions can be shown\n")) << err;
}

TEST_F(RowsLopen, L16_DeleteRemovesSessionAndMovesLatestLink) {
  const std::string first = start(), second = start(), third = start("billing");
  ASSERT_EQ(hf("metrics record @last --input-tokens 1 --history && mkdir .lopen/sessions/" + third +
               "/more && touch .lopen/sessions/" + third + "/more/note"),
            0)
      << err;
  EXPECT_EQ(hf("session delete " + third), 2) << "it asks first: " << out;
  EXPECT_TRUE(err.contains("this would delete session " + third)) << err;
  EXPECT_EQ(hf("session delete " + third + " --yes"), 0) << err;
  EXPECT_EQ(out, "deleted " + third + "\n");
  EXPECT_EQ(sh("ls -A .lopen/sessions"), 0);
  EXPECT_EQ(out, first + "\n" + second + "\nlatest\n");
  EXPECT_EQ(latest(), second) << "the newest that is left";
  EXPECT_EQ(hf("session delete " + first + " --yes"), 0) << err;
  EXPECT_EQ(latest(), second) << "another one went";
  EXPECT_EQ(hf("session delete @last --yes"), 0) << err;
  EXPECT_EQ(sh("ls -A .lopen/sessions"), 0);
  EXPECT_EQ(out, "") << "without a session there is no mark";
  EXPECT_EQ(hf("session delete " + first + " --yes --store lopen:."), 3) << out;
  EXPECT_TRUE(err.contains("there is no session " + first)) << err;
}

TEST_F(RowsLopen, L19_SettingSavesSnapshotOfEachIteration) {
  const std::string id = start();
  const auto snapshot = [&](int n) {
    return text("desk/.lopen/sessions/" + id + "/history/" + std::to_string(n) + ".json");
  };
  ASSERT_EQ(hf("metrics record @last --input-tokens 5"), 0) << err;
  EXPECT_EQ(sh("test -e .lopen/sessions/" + id + "/history"), 1) << "it is off unless it is asked for";
  ASSERT_EQ(hf("store configure '{\"save_iteration_history\":true}' && "
               "$H metrics record @last --input-tokens 6 --output-tokens 2 --premium"),
            0)
      << err;
  const std::string metrics = text("desk/.lopen/sessions/" + id + "/metrics.json");
  EXPECT_EQ(snapshot(2), "{\"state\":" + state(id) + ",\"metrics\":" + metrics + "}");
  EXPECT_TRUE(metrics.contains("\"cumulative_input_tokens\":11,\"cumulative_output_tokens\":2,")) << metrics;
  // A step that ends an iteration is recorded too; a save that ends none is not.
  ASSERT_EQ(hf("workflow pause @last && $H workflow advance @last SpecApproved --input-tokens 1"), 0) << err;
  EXPECT_TRUE(snapshot(3).contains("\"step\":\"DetermineDependencies\"")) << snapshot(3);
  ASSERT_EQ(sh("LOPEN_Session__SaveIterationHistory=false $H metrics record @last --input-tokens 1 && "
               "ls .lopen/sessions/" +
               id + "/history"),
            0)
      << err;
  EXPECT_TRUE(out.ends_with("\n2.json\n3.json\n")) << out;
}

TEST_F(RowsLopen, L21_DamagedSessionHidesNoOther) {
  const std::string good = start();
  const std::string torn = "auth-20260101-1", keyless = "auth-20260101-2", null = "auth-20260101-3";
  ASSERT_EQ(sh("cd .lopen/sessions && mkdir " + torn + " " + keyless + " " + null + " auth-20260101-4 junk && " +
               "printf '{\"session_id\":' > " + torn + "/state.json && printf '{\"session_id\":\"x\"}' > " + keyless +
               "/state.json && printf null > " + null + "/state.json"),
            0);
  EXPECT_EQ(hf("session list"), 0) << err;
  EXPECT_TRUE(out.contains(good)) << out;
  EXPECT_FALSE(out.contains("20260101")) << out;
  EXPECT_TRUE(err.contains("warning: .lopen/sessions/" + torn + "/state.json: not JSON: ")) << err;
  EXPECT_TRUE(err.contains("warning: .lopen/sessions/" + keyless + "/state.json: the key phase is missing\n")) << err;
  EXPECT_FALSE(err.contains(null)) << "not found, not corrupt: " << err;
  EXPECT_EQ(hf("session show"), 0) << err;
  EXPECT_TRUE(out.starts_with("# Session: " + good + "\n")) << out;
  EXPECT_EQ(hf("session show " + torn), 4) << out;
  EXPECT_TRUE(err.contains("not JSON: ")) << err;
  EXPECT_EQ(hf("session show " + null), 3) << out;
  EXPECT_EQ(sh("ls .lopen"), 0);
  EXPECT_FALSE(out.contains("corrupted")) << "looking moves nothing: " << out;
  // A command that changes a session checks the files before it loads any of them.
  EXPECT_EQ(hf("session resume " + keyless), 3) << out;
  EXPECT_TRUE(err.contains("there is no session " + keyless)) << err;
  for (const std::string& bad : {torn, keyless})
    EXPECT_EQ(sh("test -f .lopen/corrupted/" + bad + "/state.json"), 0) << bad;
  EXPECT_EQ(hf("session prune --yes"), 0) << err;
  EXPECT_EQ(out, "Pruned 0 session(s) (retention: 10).\n");
  EXPECT_EQ(hf("session resume && $H session delete @last --yes"), 0) << err;
  EXPECT_TRUE(out.contains("session: " + good + "\n")) << out;
  EXPECT_TRUE(out.ends_with("deleted " + good + "\n")) << out;
}

TEST_F(RowsLopen, L23_SessionsRejectConversationAndContent) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"planted talk\"");
  ASSERT_EQ(sh("printf '# Auth\\n\\n## A\\nplanted document\\n' > docs/requirements/auth/SPECIFICATION.md"), 0);
  start();
  ASSERT_EQ(hf("metrics record @last --input-tokens 1 --history && $H task add @last api"), 0) << err;
  const auto refused = [&](const std::string& words, const std::string& why) {
    EXPECT_EQ(hf(words), 2) << words << out;
    EXPECT_TRUE(err.contains(why)) << words << err;
  };
  refused("message append @last 'planted talk'", "layout lopen cannot hold: messages: a session has only its state");
  refused("message append @last --message '{\"role\":\"assistant\",\"text\":\"planted output\"}'", "messages");
  refused("session update @last --summary 'planted output'", "layout lopen cannot hold: the summary of a session");
  refused("session update @last --title 'planted output'", "layout lopen cannot hold: a title");
  refused("session update @last --metadata '{\"transcript\":\"planted\"}'", "cannot hold: changes to metadata");
  refused("workflow pause @last --component \"$(printf 'planted\\noutput')\"", "component must be one line");
  refused("workflow pause @last --resources '{\"specs\":[\"# planted\\ndocument\"]}'", "a resource must be one line");
  refused("task add @last x --name \"$(printf 'planted\\noutput')\"", "the name of a task must be one line each");
  refused("call workflow.pause '{\"session\":\"@last\",\"output\":\"planted\"}'", "unknown parameter output");
  const std::string create = "session create --store lopen:. --metadata '{\"module\":\"auth\"";
  refused(create + ",\"notes\":\"planted\"}'", "a session of layout lopen cannot hold notes");
  ASSERT_EQ(hf("export aaaaaaaa --format json > $HOME/talk.json"), 0) << err;
  refused("import $HOME/talk.json --store lopen:.", "lopen");
  EXPECT_EQ(sh("grep -rl planted .lopen"), 1) << out;
  // What is saved as a plan or as research is meant to be kept.
  ASSERT_EQ(hf("plan put --id auth --body 'planted plan' && $H research add auth Keys --summary 'planted note'"), 0)
      << err;
  EXPECT_EQ(sh("grep -rl planted .lopen/modules docs/requirements/auth/RESEARCH-Keys.md"), 0);
  EXPECT_EQ(sh("grep -rl planted .lopen/sessions"), 1) << out;
}

// Values that a session has no place for are refused on creation, as on update.
TEST_F(RowsLopen, L23_CreateRejectsFieldsItCannotStore) {
  const std::string create = "session create --store lopen:. --metadata '{\"module\":\"auth\"}' ";
  EXPECT_EQ(hf(create + "--title planted --agent me --provider p --git-branch main"), 2) << out;
  EXPECT_TRUE(err.contains("layout lopen cannot hold: title, provider, agent, git_branch of a session")) << err;
  EXPECT_NE(sh("ls .lopen/sessions/auth-*"), 0) << out;
  EXPECT_EQ(hf(create + "--model gpt-5"), 0) << err;
  EXPECT_TRUE(state(latest()).contains("\"models_used\":[\"gpt-5\"]")) << state(latest());
}

}  // namespace
}  // namespace holdfast::inline v1
