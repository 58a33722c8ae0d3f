// What the systems of all seeds rely on, through the doors that their users have.
#include "tests/cli/cli_testing.h"
#include "tests/cli/ordinary_user_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

struct SeedsCommon : CliHome {};

// ---- warnings are part of an answer, and people see them (decision 54)

TEST_F(SeedsCommon, WarningsGoToStandardError) {
  ASSERT_EQ(sh("mkdir -p .lopen && $H session start --module auth"), 0) << err;
  EXPECT_EQ(err, "warning: there is no directory docs/requirements/auth\n");
  EXPECT_FALSE(out.contains("warning")) << out;
  EXPECT_TRUE(out.contains("module: auth")) << out;
  ASSERT_EQ(sh("$H session start --module auth --json"), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_EQ(field({"warnings"}), R"(["there is no directory docs/requirements/auth"])");
}

TEST_F(SeedsCommon, HeadingCanIncludeItsMarks) {
  ASSERT_EQ(sh("mkdir .git .claude && $H store create --store workflow:."), 0) << err;
  for (const std::string heading : {"'## Foo'", "Foo", "' # Foo '"})
    ASSERT_EQ(sh("$H memory learn \"x of $$\" --heading " + heading + " --store workflow:."), 0) << err;
  const std::string memory = text("desk/.claude/MEMORY.md");
  EXPECT_TRUE(memory.contains("## Foo\n")) << memory;
  EXPECT_EQ(memory.find("Foo"), memory.rfind("Foo")) << memory;
  EXPECT_EQ(sh("$H memory learn x --heading '##' --store workflow:."), 2);
  EXPECT_TRUE(err.contains("heading must not be empty")) << err;
}

// Sent without waiting for answers, on one connection: the last one sent is the last one carried out.
TEST_F(SeedsCommon, PipelinedRequestsKeepTheirOrder) {
  for (const std::string layout : {"holdfast", "linggen"}) {
    std::string lines = R"({"jsonrpc":"2.0","id":0,"method":"hello"})"
                        "\n";
    for (int n = 0; n < 24; ++n)
      lines += R"({"jsonrpc":"2.0","id":)" + std::to_string(n + 1) + R"(,"method":"permission.)" +
               (n % 2 == 0 ? "allow" : "revoke") + R"(","params":{"project":")" + home + R"(/desk","tool":"T)" +
               std::to_string(n / 2) + "\"}}\n";
    std::ofstream(home + "/lines") << lines;
    const std::string store = " --store " + layout + ":$HOME/" + layout;
    ASSERT_EQ(sh("$H store create" + store + " && $H rpc" + store + " < $HOME/lines"), 0) << err;
    EXPECT_FALSE(out.contains("\"error\"")) << out;
    ASSERT_EQ(sh("$H permission list --project $HOME/desk --json" + store), 0) << out << err;
    for (int n = 0; n < 12; ++n) EXPECT_FALSE(out.contains("\"T" + std::to_string(n) + "\"")) << layout << out;
  }
}

TEST_F(SeedsCommon, NextWriteReportsFilesMovedAside) {
  ASSERT_EQ(sh("mkdir -p .lopen docs/requirements/auth docs/requirements/web && $H session start --module auth && "
               "$H session start --module web --no-resume && echo garbage | tee .lopen/sessions/auth-*/state.json"),
            0)
      << err;
  EXPECT_EQ(sh("$H plan put --id web --body '- [ ] one'"), 0) << err;
  EXPECT_TRUE(err.starts_with("warning: .lopen/sessions/auth-")) << err;
  EXPECT_TRUE(err.contains("moved to .lopen/corrupted/auth-")) << err;
  EXPECT_EQ(sh("$H plan put --id web --body '- [ ] one'"), 0) << err;
  EXPECT_EQ(err, "");
  // Over rpc the warning is a field, once.
  ASSERT_EQ(sh("echo garbage | tee .lopen/sessions/web-*/state.json"), 0);
  RpcProcess rpc(home, {"--store", "lopen:" + home + "/desk"});
  const std::string first = rpc.ask("plan.put", R"({"id":"web","body":"- [ ] two"})");
  EXPECT_TRUE(JsonView(first).find("result").find("findings").raw().contains("moved to .lopen/corrupted/web-"))
      << first;
  EXPECT_FALSE(rpc.ask("plan.put", R"({"id":"web","body":"- [ ] one"})").contains("corrupted"));
}

TEST_F(SeedsCommon, RequestedFindingsGoToStandardOutput) {
  ASSERT_EQ(sh("mkdir -p .lopen && $H session start --module auth && echo x | tee .lopen/sessions/auth-*/state.json"),
            0);
  EXPECT_EQ(sh("$H store findings"), 0) << err;
  EXPECT_TRUE(out.contains("state.json")) << out;
  EXPECT_EQ(sh("$H session list"), 0) << err;
  EXPECT_FALSE(out.contains("state.json")) << out;
  EXPECT_TRUE(err.contains("warning: .lopen/sessions/auth-")) << err;
}

// ---- one line per message, however a file is formatted

TEST_F(SeedsCommon, RpcPrintsIndentedFileOnOneLine) {
  ASSERT_EQ(sh("mkdir .claude && $H workflow phase plan --completed analyze --context x --store workflow:. && "
               "$H interview record x-plan --confidence '{\"problem_understanding\":70}' --store workflow:."),
            0)
      << err;
  std::ofstream(home + "/desk/.claude/interview-state.json")
      << "{\n  \"version\": \"1.0.0\",\r\n  \"mode\": \"full\",\n  \"gateStatus\": \"open\",\n  \"confidence\": {\n"
         "    \"problem\": 40\n  },\n  \"note\": \"a\\nb\"\n}\n";
  RpcProcess rpc(home, {"--store", "workflow:" + home + "/desk"});
  for (const char* const method : {"interview.get", "workflow.state", "initiative.context"}) {
    const std::string line = rpc.ask(method);
    EXPECT_TRUE(check_json(line).ok()) << method << ": " << line;
    EXPECT_TRUE(JsonView(line).find("result")) << method << ": " << line;
    EXPECT_FALSE(line.contains('\r')) << line;
  }
  EXPECT_TRUE(rpc.ask("interview.get").contains(R"("note":"a\nb")"));
  EXPECT_EQ(sh("$H call interview.get --store workflow:. | wc -l"), 0);
  EXPECT_EQ(out, "1\n");
}

// ---- what is created exists

TEST_F(SeedsCommon, CreatedStoreCanBeReadInEveryLayout) {
  for (const std::string layout : {"holdfast", "lopen", "workflow", "open-agent", "linggen", "maestro"}) {
    const std::string store = " --store " + layout + ":" + home + "/made/" + layout;
    EXPECT_EQ(sh("$H store create" + store), 0) << layout << err;
    for (const char* const call : {"session list", "store info", "store verify", "store findings", "ls --json"})
      EXPECT_LE(sh("$H " + std::string(call) + store), 1) << layout << " " << call << ": " << err;
    EXPECT_EQ(sh("$H store create" + store), 0) << layout << err;
  }
}

TEST_F(SeedsCommon, GitIgnoresTheSideFolder) {
  ASSERT_EQ(sh("git init -q . && mkdir .lopen .claude && $H session start --module auth --store lopen:. && "
               "$H initiative create login --store workflow:. && $H store create --store linggen:home && "
               "$H session create --title x --store maestro:app"),
            0)
      << err;
  ASSERT_EQ(sh("git status --porcelain --untracked-files=all"), 0) << err;
  EXPECT_TRUE(out.contains(".claude/initiative.json")) << out;
  EXPECT_FALSE(out.contains(".holdfast")) << out;
  EXPECT_EQ(sh("cat .lopen/.holdfast/.gitignore .claude/.holdfast/.gitignore home/.holdfast/.gitignore"), 0) << err;
  EXPECT_EQ(out, "*\n*\n*\n");
}

// ---- the owner of a store matters when writing (decision 3)

TEST_F(SeedsCommon, AnotherUsersStoreIsReadOnly) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to be somebody else";
  ASSERT_EQ(sh("mkdir -p .lopen docs/requirements/auth && $H session start --module auth && chmod -R a+rX $HOME"), 0)
      << err;
  ASSERT_EQ(sh("mkdir $HOME/other && HOME=$HOME/other && " + give_home()), 0) << err;
  const std::string other = "HOME=$HOME/other " + ordinary_holdfast();
  EXPECT_EQ(sh(other + "session list"), 0) << err;
  EXPECT_TRUE(out.contains("auth-")) << out;
  EXPECT_EQ(sh(other + "session show"), 0) << err;
  EXPECT_EQ(sh(other + "spec list"), 0) << err;
  EXPECT_EQ(sh(other + "store verify"), 0) << err << out;
  EXPECT_NE(sh(other + "workflow pause @last"), 0) << out;
  EXPECT_TRUE(err.contains("belongs to another user")) << err;
}

TEST_F(SeedsCommon, UnwritableFolderOfAnotherUserIsNoUsageError) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to be somebody else";
  ASSERT_EQ(sh("mkdir -p .claude && chmod -R a+rX $HOME && mkdir $HOME/other && HOME=$HOME/other && " + give_home()), 0)
      << err;
  const std::string other = "HOME=$HOME/other " + ordinary_holdfast();
  EXPECT_EQ(sh(other + "initiative create q --milestones '[\"M1\"]' --store workflow:."), 5) << err;
  EXPECT_TRUE(err.contains("belongs to another user")) << err;
}

// ---- the store that the directory is inside of (decision 55)

TEST_F(SeedsCommon, LastIsTheLatestOfTheProjectsStoreInEveryVerb) {
  ASSERT_EQ(sh("mkdir -p .lopen && $H session start --module auth --json"), 0) << err;
  const std::string id = field({"id"});
  ASSERT_EQ(sh("$H session create --title newer --store holdfast:$HOME/.local/share/holdfast"), 0) << err;
  for (const char* const words : {"session show @last", "session show", "session get @last", "workflow get @last",
                                  "session delete @last --dry-run", "call session.show"}) {
    EXPECT_EQ(sh("$H " + std::string(words)), 0) << words << err;
    EXPECT_TRUE((out + err).contains(id)) << words << out << err;
  }
  // For people who look, the newest of the machine.
  EXPECT_EQ(sh("$H show @last"), 0) << err;
  EXPECT_TRUE(out.contains("newer")) << out;
}

// ---- no parameter is ignored

TEST_F(SeedsCommon, EmptyIdIsRefused) {
  ASSERT_EQ(sh("mkdir -p .lopen && $H session start --module auth"), 0) << err;
  EXPECT_EQ(sh("$H session start --module auth --resume ''"), 2) << out;
  EXPECT_TRUE(err.contains("resume must be the id of a session, but is empty")) << err;
  EXPECT_EQ(sh("$H session create --id '' --store holdfast:$HOME/s"), 2) << out;
  EXPECT_TRUE(err.contains("id must not be empty")) << err;
}

TEST_F(SeedsCommon, RecordsNameSessionsByWholeIds) {
  const std::string store = " --store linggen:$HOME/l";
  ASSERT_EQ(
      sh("mkdir $HOME/l && $H project add /p" + store + " >/dev/null && $H session create --project /p --json" + store),
      0)
      << err;
  const std::string id = field({"session", "id"}).empty() ? field({"id"}) : field({"session", "id"});
  // Not a prefix that ends in a digit: in a change, it may not stand for a longer number.
  const std::string prefix = id.substr(0, id.rfind('-') + 1);
  for (const std::string& name : {std::string("@last"), "linggen/" + id, prefix, id}) {
    ASSERT_EQ(sh("$H run start --project /p --agent a --session " + name + " --json" + store), 0) << name << err;
    EXPECT_EQ(field({"run", "session_id"}), id) << name;
    ASSERT_EQ(sh("$H run list --project /p --session " + name + " --json" + store), 0) << name << err;
    EXPECT_NE(field({"total"}), "0") << name;
  }
  EXPECT_EQ(sh("$H run start --project /p --agent a --session elsewhere --json" + store), 0) << err;
  EXPECT_EQ(field({"run", "session_id"}), "elsewhere");
  EXPECT_EQ(sh("$H run start --project /p --agent a --session ../x" + store), 2) << out;
  EXPECT_EQ(sh("$H run start --project /p --agent a --parent ../../x" + store), 2) << out;
  EXPECT_EQ(sh("$H session create --parent @last --json --store holdfast:$HOME/n"), 3) << out;
  ASSERT_EQ(sh("$H session create --json --store holdfast:$HOME/n"), 0) << err;
  const std::string parent = field({"id"});
  ASSERT_EQ(sh("$H session create --parent @last --json --store holdfast:$HOME/n"), 0) << err;
  EXPECT_EQ(field({"session", "parent", "id"}), parent) << out;
}

TEST_F(SeedsCommon, ModulesOfPlansAndNotesHaveTheNamesOfModules) {
  ASSERT_EQ(sh("mkdir -p .lopen docs/requirements"), 0);
  EXPECT_EQ(sh("$H plan put --id My_Mod --body y"), 2) << out;
  EXPECT_TRUE(err.contains("not a valid module name")) << err;
  EXPECT_EQ(sh("$H research add My_Mod t --summary x"), 2) << out;
  EXPECT_TRUE(err.contains("not a valid module name")) << err;
  EXPECT_EQ(sh("ls .lopen/modules docs/requirements | grep -i my_mod"), 1) << out;
}

TEST_F(SeedsCommon, RejectsProjectOfAnotherStore) {
  ASSERT_EQ(
      sh("mkdir -p .lopen .claude docs/requirements/auth $HOME/else && $H session start --module auth "
         "--store lopen:. && $H initiative create login --store workflow:. && $H memory learn x --store workflow:."),
      0)
      << err;
  for (const std::string words : {"plan list", "spec list", "research list", "plan put --id auth --body x"}) {
    EXPECT_EQ(sh("$H " + words + " --store lopen:. --project $HOME/else"), 2) << words << out;
    EXPECT_TRUE(err.contains("this store belongs to " + home + "/desk")) << words << err;
    EXPECT_EQ(sh("$H " + words + " --store lopen:. --project ."), 0) << words << err;
  }
  for (const std::string words : {"initiative get", "memory get", "workflow state", "interview get", "delegation list",
                                  "memory learn y", "initiative start M1"}) {
    EXPECT_EQ(sh("$H " + words + " --store workflow:. --project $HOME/else"), 2) << words << out;
    EXPECT_TRUE(err.contains("this store belongs to " + home + "/desk")) << words << err;
  }
  EXPECT_EQ(sh("$H memory get notes --store workflow:."), 2) << out;
  EXPECT_TRUE(err.contains("takes no id")) << err;
  EXPECT_EQ(sh("$H call memory.get '{\"titel\":1}' --store workflow:."), 2) << out;
  EXPECT_TRUE(err.contains("unknown parameter titel")) << err;
}

TEST_F(SeedsCommon, SymlinkIsTheSameProject) {
  ASSERT_EQ(sh("mkdir -p .lopen .claude docs/requirements/auth && ln -s $HOME/desk $HOME/link && "
               "printf '# Auth\\n' > docs/requirements/auth/SPECIFICATION.md"),
            0);
  const std::string link = home + "/link";
  ASSERT_EQ(sh("$H session start --module auth --store lopen:" + link + " --project " + link), 0) << err;
  EXPECT_EQ(sh("$H spec list --json --store lopen:. --project " + link), 0) << err;
  EXPECT_EQ(field({"total"}), "1");
  EXPECT_EQ(sh("$H spec list --json --store lopen:" + link + " --project " + link), 0) << err;
  EXPECT_EQ(sh("$H research add auth topic --summary s --store lopen:" + link + " --project ."), 0) << err;
  EXPECT_EQ(sh("$H session list --json --store lopen:" + link + " --project ."), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
  EXPECT_EQ(sh("$H initiative create login --store workflow:" + link + " --project ."), 0) << err;
  EXPECT_EQ(sh("$H initiative get --json --store workflow:. --project " + link), 0) << err;
  EXPECT_EQ(field({"initiative", "name"}), "login");
}

TEST_F(SeedsCommon, ChildrenOfUnknownRunAreNotFound) {
  EXPECT_EQ(sh("$H run start --project /p --agent a"), 0) << err;
  EXPECT_EQ(sh("$H run children nope --project /p"), 3) << out;
}

TEST_F(SeedsCommon, ProjectMustBeAbsoluteInCall) {
  EXPECT_EQ(sh("$H call session.create '{\"project\":\"rel/dir\"}'"), 2) << out;
  EXPECT_TRUE(err.contains("must be absolute")) << err;
  EXPECT_EQ(sh("$H session create --project rel/dir --json"), 0) << "people may type it: " << err;
  EXPECT_EQ(field({"session", "project"}), home + "/desk/rel/dir");
}

struct SecondOutcome : CliHome {};

// It replaces the first outcome, with a notice.
TEST_F(SecondOutcome, IsReplacedWithAWarning) {
  ASSERT_EQ(sh("$H run start --project /p --agent a --json"), 0) << err;
  const std::string run = field({"run", "run_id"});
  const std::string finish = "$H run finish " + run + " --project /p --status ";
  EXPECT_EQ(sh(finish + "completed"), 0) << err;
  EXPECT_FALSE(err.contains("had ended before")) << err;
  EXPECT_EQ(sh(finish + "failed"), 0) << err;
  EXPECT_TRUE(err.contains("had ended before, with the status completed")) << err;
  ASSERT_EQ(sh("$H session create --json --no-lease"), 0) << err;
  const std::string id = field({"id"});
  EXPECT_EQ(sh("$H session end " + id), 0) << err;
  EXPECT_FALSE(err.contains("had ended before")) << err;
  for (const std::string& words :
       {"session end " + id + " --status failed", "session update " + id + " --status stopped"}) {
    EXPECT_EQ(sh("$H " + words), 0) << err;
    EXPECT_TRUE(err.contains("had ended before, with the status")) << words << err;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
