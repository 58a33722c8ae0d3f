// rm, restore and prune: what is deleted, what never is, and when the user is asked.
#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Removal : CliHome {
  bool listed(const std::string& id) {
    EXPECT_LE(sh("$H ls --json"), 1) << err;
    return out.find("\"id\":\"" + id + "\"") != std::string::npos;
  }
};

TEST_F(Removal, RequiresYesWithoutTerminal) {
  const std::string id = create("\"Fix it\"");
  EXPECT_EQ(sh("$H rm " + id), 2);
  EXPECT_NE(err.find("this would move session " + id + " (Fix it)"), std::string::npos) << err;
  EXPECT_NE(err.find("--yes"), std::string::npos) << err;
  EXPECT_TRUE(listed(id));
  EXPECT_EQ(sh("$H rm " + id + " --dry-run"), 0) << err;
  EXPECT_TRUE(out.starts_with("would move session " + id)) << out;
  EXPECT_TRUE(listed(id));
  EXPECT_EQ(sh("yes | $H rm " + id), 2) << "a pipe is nobody who was asked";
  EXPECT_TRUE(listed(id));
}

TEST_F(Removal, RemovedSessionCanBeRestored) {
  const std::string id = create("\"Fix it\"");
  // A prefix that cuts a number in two may be another id, and is refused.
  const std::string prefix = id.substr(0, id.find_first_not_of("0123456789", 6));
  ASSERT_EQ(sh("$H message append " + id + " hello && $H rm " + prefix + " --yes --json"), 0) << err;
  EXPECT_FALSE(listed(id));
  EXPECT_EQ(sh("$H show " + id), 3);
  EXPECT_EQ(sh("$H session trashed"), 0) << err;
  EXPECT_NE(out.find(id), std::string::npos) << out;
  EXPECT_EQ(sh("$H restore nobody"), 3);
  EXPECT_EQ(sh("$H restore " + prefix), 0) << err;
  EXPECT_TRUE(listed(id));
  EXPECT_EQ(sh("$H show " + id), 0) << err;
  EXPECT_NE(out.find("hello"), std::string::npos) << out;
}

TEST_F(Removal, NeverDeletesSessionsOfOtherAgents) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"a prompt\"");
  const std::string file = home + "/.claude/projects/-desk/aaaaaaaa-0000-4000-8000-000000000001.jsonl";
  EXPECT_EQ(sh("$H rm aaaaaaaa --yes"), 2);
  EXPECT_NE(err.find("belongs to Claude Code; Holdfast never deletes what other agents keep"), std::string::npos)
      << err;
  EXPECT_EQ(sh("$H prune --keep 0 --trash-days 0 --yes --store claude-code:$HOME/.claude"), 2) << out;
  EXPECT_EQ(sh("$H prune --keep 1 --trash-days 0 --yes"), 0) << err;
  EXPECT_EQ(sh("$H session delete aaaaaaaa --yes --store claude-code:$HOME/.claude"), 2) << out;
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_TRUE(listed("aaaaaaaa-0000-4000-8000-000000000001"));
}

TEST_F(Removal, PruneMovesCompletedSessionsToTheTrash) {
  const std::string old = create("\"old\"");
  ASSERT_EQ(sh("$H session end " + old), 0) << err;
  const std::string young = create("\"young\"");
  ASSERT_EQ(sh("$H session end " + young), 0) << err;
  const std::string going = create("\"going on\"");
  EXPECT_EQ(sh("$H prune"), 0) << err;
  EXPECT_EQ(out, "nothing to prune\n");
  EXPECT_EQ(sh("$H prune --keep 1"), 2) << out;
  EXPECT_NE(err.find("move 1 completed session to the trash (" + old + ")"), std::string::npos) << err;
  EXPECT_EQ(sh("$H prune --keep 1 --dry-run"), 0);
  EXPECT_TRUE(listed(old));
  EXPECT_EQ(sh("$H prune --keep 1 --yes --json"), 0) << err;
  EXPECT_NE(out.find("\"pruned\":[\"" + old + "\"]"), std::string::npos) << out;
  EXPECT_FALSE(listed(old));
  EXPECT_TRUE(listed(young));
  EXPECT_TRUE(listed(going));
  EXPECT_EQ(sh("$H restore " + old), 0) << err;
  EXPECT_TRUE(listed(old));
}

TEST_F(Removal, AsksForConfirmationOnTerminal) {
  if (!has_tmux()) GTEST_SKIP() << "tmux is not installed";
  const std::string id = create("\"Fix it\"");
  open_terminal(80, 24);
  for (const char* const reply : {"n Enter", "Enter", "maybe Enter", "C-d"}) {
    type_line("clear; $H rm " + id + "; echo code $?");
    ASSERT_TRUE(shows("Proceed? [y/N]")) << screen();
    type(reply);
    ASSERT_TRUE(shows("nothing was changed\ncode 1\n")) << reply << screen();
    EXPECT_TRUE(listed(id));
  }
  type_line("clear; $H rm " + id);
  ASSERT_TRUE(shows("Proceed? [y/N]")) << screen();
  type("C-c");
  ASSERT_TRUE(shows("^C")) << screen();
  type_line("echo code $?");
  ASSERT_TRUE(shows("code 130")) << "interrupted: " << screen();
  EXPECT_TRUE(listed(id));
  type_line("clear; echo SECOND; $H rm " + id);
  ASSERT_TRUE(shows("SECOND\nThis will")) << screen();
  ASSERT_TRUE(shows("Proceed? [y/N]")) << screen();
  type("y Enter");
  ASSERT_TRUE(shows("\nmoved ")) << screen();
  EXPECT_FALSE(listed(id));
}

// A process that has the session open says that it is gone, not which file it misses.
TEST_F(Removal, AppendToARemovedSessionSaysSo) {
  for (const std::string layout : {"holdfast", "linggen", "open-agent"}) {
    const std::string store = layout + ":" + home + "/" + layout;
    RpcProcess rpc(home, {"--store", store});
    const std::string made = rpc.ask("session.create", R"({"lease":false})");
    const std::string id = JsonView(made).find("result").find("id").as_string().value_or(made);
    const std::string append = R"({"session":")" + id + R"(","text":"hello"})";
    EXPECT_TRUE(JsonView(rpc.ask("message.append", append)).find("result")) << layout;
    ASSERT_EQ(sh("$H rm " + id + " --yes --store " + store), 0) << err;
    const std::string refused = rpc.ask("message.append", append);
    EXPECT_TRUE(refused.contains("session " + id + " was removed; nothing was written")) << layout << refused;
    EXPECT_TRUE(refused.contains(R"("code":"not_found")")) << layout << refused;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
