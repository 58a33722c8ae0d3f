// Which store a command uses when none is named (decision 55), as people encounter it.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct WhichStore : CliHome {
  // Creates a native store of the user with a newer session, and a project of Lopen with a folder in it.
  void SetUp() override {
    CliHome::SetUp();
    ASSERT_EQ(sh("cp -r " + paths::source() + "/tests/fixtures/lopen/real $HOME/p && mkdir -p $HOME/p/sub"), 0) << err;
    ASSERT_EQ(sh("$H session create --title mine && $H message append @last hello"), 0) << err;
  }
  std::string latest() {
    EXPECT_EQ(sh("readlink $HOME/p/.lopen/sessions/latest"), 0) << err;
    return out.substr(0, out.find('\n'));
  }
};

TEST_F(WhichStore, ProjectStoreIsUsedInsideTheProject) {
  ASSERT_EQ(sh("cd $HOME/p/sub && $H session start --module auth --no-resume"), 0) << err;
  const std::string id = latest();
  EXPECT_EQ(sh("cd $HOME/p/sub && $H workflow get " + id), 0) << err;
  EXPECT_EQ(sh("cd $HOME/p/sub && $H workflow get @last"), 0) << err;
  EXPECT_TRUE(out.contains(id)) << out;
  EXPECT_EQ(sh("cd $HOME/p/sub && $H task add @last api"), 0) << err;
  EXPECT_EQ(sh("cd $HOME/p/sub && $H task list " + id), 0) << err;
  EXPECT_TRUE(out.contains("api")) << out;
  EXPECT_EQ(sh("test -e $HOME/p/sub/.lopen"), 1);
}

// Otherwise another session would be changed or deleted.
TEST_F(WhichStore, UnreadableLatestIsNotReplacedByAnotherSession) {
  ASSERT_EQ(sh("cd $HOME/p && $H session start --module auth --no-resume"), 0) << err;
  const std::string healthy = latest();
  ASSERT_EQ(sh("cd $HOME/p && $H session start --module billing --no-resume"), 0) << err;
  const std::string torn = latest();
  ASSERT_EQ(sh("printf x > $HOME/p/.lopen/sessions/latest/state.json"), 0);
  for (const std::string command : {"session get @last", "session delete @last --yes", "workflow pause @last",
                                    "metrics record @last --input-tokens 1000"}) {
    EXPECT_EQ(sh("cd $HOME/p && $H " + command), 4) << command << out << err;
    EXPECT_TRUE(err.contains(torn)) << command << err;
  }
  EXPECT_EQ(sh("test -e $HOME/p/.lopen/sessions/" + healthy + "/state.json"), 0) << "it is not deleted";
}

TEST_F(WhichStore, UnreadableNewestIsNotReplacedByAnotherSession) {
  const std::string mine = create("\"healthy\""), torn = create("\"torn\"");
  ASSERT_EQ(sh("cd $HOME/.local/share/holdfast && f=$(find . -path '*" + torn + "/session.json') && printf x > $f && " +
               "rm -f $(dirname $f)/messages.jsonl; rm -rf .holdfast/backup"),
            0)
      << err;
  EXPECT_EQ(sh("$H session delete @last --yes"), 4) << out << err;
  EXPECT_EQ(sh("$H message append @last hello"), 4) << out << err;
  EXPECT_EQ(sh("$H session get " + mine), 0) << err;
}

TEST_F(WhichStore, LastFollowsTheLatestLink) {
  ASSERT_EQ(sh("cd $HOME/p && $H session start --module auth --no-resume"), 0) << err;
  const std::string first = latest();
  ASSERT_EQ(sh("cd $HOME/p && $H session start --module billing --no-resume"), 0) << err;
  ASSERT_NE(latest(), first);
  ASSERT_EQ(sh("ln -sfn " + first + " $HOME/p/.lopen/sessions/latest"), 0);
  EXPECT_EQ(sh("cd $HOME/p && $H task add @last api && $H task list " + first), 0) << err;
  EXPECT_TRUE(out.contains("api")) << out;
}

TEST_F(WhichStore, DotMeansTheEnclosingProject) {
  EXPECT_EQ(sh("cd $HOME/p/sub && $H session start --module auth --no-resume --store lopen:."), 0) << err;
  EXPECT_EQ(sh("test -e $HOME/p/sub/.lopen"), 1);
  ASSERT_EQ(sh("mkdir $HOME/p/.holdfast && echo 'store = \"lopen:.\"' > $HOME/p/.holdfast/config.toml"), 0);
  EXPECT_EQ(sh("cd $HOME/p/sub && $H workflow get @last"), 0) << err;
  EXPECT_EQ(sh("test -e $HOME/p/.holdfast/.lopen"), 1);
}

TEST_F(WhichStore, IdFindsItsSessionFromAnywhere) {
  ASSERT_EQ(sh("$H call session.list '{\"layout\":\"holdfast\"}'"), 0) << err;
  std::string id;
  for (const JsonItem& session : JsonView(out).find("sessions").elements())
    id = session.value.find("id").as_string().value_or("");
  ASSERT_FALSE(id.empty()) << out;
  EXPECT_EQ(sh("cd $HOME/p && $H message append " + id + " more && $H show " + id), 0) << err;
  EXPECT_TRUE(out.contains("more")) << out;
}

TEST_F(WhichStore, RpcReadsTheStoreItCreated) {
  const std::string calls = R"('{"jsonrpc":"2.0","id":1,"method":"hello"}' )"
                            R"('{"jsonrpc":"2.0","id":2,"method":"session.create","params":{"id":"ses-first"}}' )"
                            R"('{"jsonrpc":"2.0","id":3,"method":"session.get","params":{"id":"ses-first"}}')";
  ASSERT_EQ(
      sh("mkdir -p $HOME/new/.claude/projects && cd $HOME/new && printf '%s\\n' " + calls + " | HOME=$HOME/new $H rpc"),
      0)
      << err;
  EXPECT_FALSE(out.contains("\"error\"")) << out;
  EXPECT_TRUE(out.contains("\"id\":3,\"result\"")) << out;
}

TEST_F(WhichStore, RejectsWriteIfSeveralStoresMatch) {
  ASSERT_EQ(sh("cd $HOME/p && $H store create --store holdfast:.holdfast"), 0) << err;
  EXPECT_EQ(sh("cd $HOME/p && $H session create --title x"), 2) << out;
  EXPECT_TRUE(err.contains("lopen:" + home + "/p") && err.contains("holdfast:" + home + "/p/.holdfast")) << err;
  EXPECT_EQ(sh("cd $HOME/p && $H session create --title x --store holdfast:.holdfast"), 0) << err;
}

struct NoStoreYet : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    claude("aaaaaaaa-0000-4000-8000-000000000001", "\"hello\"");
  }
};

// Reading uses the store that writing would use, before the first session and after it.
TEST_F(NoStoreYet, DoesNotFallBackToAnotherAgentsStore) {
  for (const std::string command :
       {"store info", "store metrics", "plan list", "memory list", "run list", "project list", "history list"}) {
    EXPECT_EQ(sh("$H " + command), 3) << command << out;
    EXPECT_TRUE(err.contains("Holdfast has no session of its own yet")) << command << err;
  }
  EXPECT_EQ(sh("$H show aaaaaaaa"), 0) << err;
  EXPECT_EQ(sh("$H store info --store claude-code:$HOME/.claude"), 0) << err;
  ASSERT_EQ(sh("$H call session.create '{\"id\":\"s-1\"}'"), 0) << err;
  EXPECT_EQ(sh("$H plan list"), 0) << err;
  EXPECT_EQ(sh("$H store info"), 0) << err;
  EXPECT_TRUE(out.contains(".local/share/holdfast")) << out;
}

// A store that cannot be one is never treated as none, whatever the method does with it.
TEST_F(NoStoreYet, RejectsInvalidStoreName) {
  for (const std::string command :
       {"stores", "ls", "verify", "machine list", "remote list", "sync status", "store info"}) {
    EXPECT_EQ(sh("$H " + command + " --store nonsense:/x"), 2) << command << out;
    EXPECT_TRUE(err.contains("there is no layout nonsense")) << command << err;
    EXPECT_EQ(sh("$H " + command + " --store garbage"), 2) << command << out;
  }
  EXPECT_EQ(sh("$H stores --store codex:/nonexistent"), 3) << out;
  EXPECT_EQ(sh("$H call session.create '{\"id\":\"s-1\"}'"), 0) << err;
  EXPECT_EQ(sh("$H call session.delete '{\"id\":\"s-1\",\"store\":\"\"}'"), 2) << "a variable that is not set";
  EXPECT_EQ(sh("$H session delete s-1 --yes --store ''"), 2) << out;
  EXPECT_EQ(sh("$H rpc --store '' </dev/null"), 2) << out;
  EXPECT_EQ(sh("$H session get s-1"), 0) << err;
}

TEST_F(NoStoreYet, ServersRefuseMissingStore) {
  for (const std::string store : {"codex:/nonexistent", "holdfast:$HOME/none", "claude-code:$HOME/desk"}) {
    ASSERT_EQ(sh("$H ls --store " + store), 3) << store << out;
    const std::string flagged = err;
    ASSERT_EQ(sh("HOLDFAST_STORE=" + store + " $H ls"), 3) << store << out;
    const std::string configured = err;
    for (const std::string door : {"mcp", "serve --no-open"}) {
      EXPECT_EQ(sh("timeout -k 5 20 $H " + door + " --store " + store), 3) << door << store << out;
      EXPECT_EQ(err, flagged) << door;
      EXPECT_EQ(sh("HOLDFAST_STORE=" + store + " timeout -k 5 20 $H " + door), 3) << door << store << out;
      EXPECT_EQ(err, configured) << door;
    }
  }
  EXPECT_EQ(sh("$H mcp --store claude-code:$HOME/.claude"), 0) << err;
  EXPECT_EQ(sh("test -e $HOME/none"), 1) << "nothing is created";
}

// An agent names the store that its first session creates.
TEST_F(NoStoreYet, RpcStartsBeforeItsStoreExists) {
  std::ofstream(home + "/requests") << R"({"jsonrpc":"2.0","id":1,"method":"hello"})"
                                    << "\n"
                                    << R"({"jsonrpc":"2.0","id":2,"method":"session.create","params":{"id":"s-1"}})"
                                    << "\n";
  ASSERT_EQ(sh("$H rpc --store holdfast:$HOME/new < $HOME/requests"), 0) << err;
  EXPECT_EQ(sh("$H session get s-1 --store holdfast:$HOME/new"), 0) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
