// `holdfast config`: the settings of the program.
#include <algorithm>

#include "tests/cli/cli_testing.h"
#include "tests/cli/ordinary_user_testing.h"

namespace holdfast::inline v1 {
namespace {

struct ConfigCommand : CliHome {
  std::string file() { return text(".config/holdfast/config.toml"); }
  bool has(const std::string& text, const std::string& wanted) { return text.find(wanted) != std::string::npos; }
};

TEST_F(ConfigCommand, SetsGetsListsAndUnsets) {
  EXPECT_EQ(sh("$H config get redact_inputs"), 1) << "nobody sets it";
  EXPECT_EQ(out, "");
  EXPECT_EQ(sh("$H config set redact_inputs true"), 0) << err;
  EXPECT_EQ(file(), "redact_inputs = true\n");
  EXPECT_EQ(sh("$H config get redact_inputs"), 0);
  EXPECT_EQ(out, "true\n");
  EXPECT_EQ(sh("$H config list"), 0) << err;
  EXPECT_TRUE(has(out, "redact_inputs") && has(out, home + "/.config/holdfast/config.toml")) << out;
  EXPECT_EQ(sh("HOLDFAST_REDACT_INPUTS=0 $H config list --json"), 0) << err;
  EXPECT_TRUE(has(out, R"("key":"redact_inputs","value":"0","from":"HOLDFAST_REDACT_INPUTS")")) << out;
  EXPECT_EQ(sh("$H config path"), 0);
  EXPECT_EQ(out, home + "/.config/holdfast/config.toml\n");
  EXPECT_EQ(sh("$H config unset redact_inputs"), 0) << err;
  EXPECT_EQ(sh("$H config get redact_inputs"), 1);
}

TEST_F(ConfigCommand, SetPreservesRestOfFile) {
  std::filesystem::create_directories(home + "/.config/holdfast");
  const std::string before = "# mine\nmetrics = true  # figures\n\n[workflow]\nmemory = \"~/notes\"\n";
  std::ofstream(home + "/.config/holdfast/config.toml") << before;
  EXPECT_EQ(sh("$H config set metrics false"), 0) << err;
  EXPECT_EQ(file(), "# mine\nmetrics = false  # figures\n\n[workflow]\nmemory = \"~/notes\"\n");
  EXPECT_EQ(sh("$H config set metrics true"), 0) << err;
  EXPECT_EQ(file(), before);
  EXPECT_EQ(sh("$H config set workflow.memory ~/others"), 0) << err;
  EXPECT_EQ(sh("$H config set prices.gpt-5.5.input 2.5"), 0) << err;
  EXPECT_TRUE(has(file(), "gpt-5.5")) << file();
  EXPECT_EQ(sh("$H config get prices"), 0) << err;
  EXPECT_TRUE(has(out, R"("gpt-5.5":{"input":2.5})")) << out;
}

TEST_F(ConfigCommand, TakesAQuotedModelAndSwitchesInAnyCase) {
  EXPECT_EQ(sh("$H config set 'prices.\"x.y\".output' 4 && $H config set prices.x.y.input 2"), 0) << err;
  EXPECT_EQ(sh("$H config get prices"), 0) << err;
  EXPECT_TRUE(has(out, R"({"x.y":{"output":4,"input":2}})")) << out;
  EXPECT_EQ(sh("$H config unset \"prices.'x.y'.output\" && $H config get prices"), 0) << err;
  EXPECT_TRUE(has(out, R"({"x.y":{"input":2}})")) << out;
  EXPECT_EQ(sh("$H config set redact_inputs TRUE && $H config get redact_inputs"), 0) << err;
  EXPECT_TRUE(has(out, "true\n")) << out;
}

TEST_F(ConfigCommand, ErrorInTheFileIsOneLine) {
  std::filesystem::create_directories(home + "/.config/holdfast");
  std::ofstream(home + "/.config/holdfast/config.toml") << "metrics = tru\n";
  EXPECT_NE(sh("$H ls"), 0);
  EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
  EXPECT_TRUE(has(err, "line 1: ")) << err;
}

TEST_F(ConfigCommand, RefusesUnknownKeysAndInvalidValues) {
  EXPECT_EQ(sh("$H config set redact_input true"), 2);
  EXPECT_TRUE(has(err, "there is no setting redact_input; did you mean redact_inputs?")) << err;
  EXPECT_EQ(sh("$H config get nonsense"), 2);
  EXPECT_EQ(sh("$H config set redact_inputs perhaps"), 2);
  EXPECT_TRUE(has(err, "redact_inputs must be true or false, not \"perhaps\"")) << err;
  EXPECT_EQ(sh("$H config set store nobody:/x"), 2);
  EXPECT_EQ(sh("$H config set prices.m.input cheap"), 2);
  EXPECT_EQ(sh("$H config set redact_inputs"), 2);
  EXPECT_EQ(sh("$H config lst"), 2);
  EXPECT_TRUE(has(err, "did you mean list?")) << err;
  EXPECT_FALSE(std::filesystem::exists(home + "/.config"));
}

TEST_F(ConfigCommand, NamesMembersThatAreNoPrice) {
  EXPECT_EQ(sh("$H config set prices.gpt-5.5.inputt 3"), 2);
  EXPECT_TRUE(has(err, "there is no setting prices.gpt-5.5.inputt; did you mean prices.gpt-5.5.input?")) << err;
  EXPECT_EQ(sh("$H config set prices.gpt-5.5 3"), 2);
  EXPECT_TRUE(has(err, "a price is set as prices.MODEL.input, .output, .cache_read or .cache_write")) << err;
  EXPECT_EQ(sh("$H call store.configure '{\"settings\":{\"prices\":{\"m\":{\"cache_reed\":3}}}}' "
               "--store holdfast:$HOME/own"),
            2)
      << out;
  EXPECT_TRUE(has(err, "did you mean prices.m.cache_read?")) << err;
  std::filesystem::create_directories(home + "/.config/holdfast");
  std::ofstream(home + "/.config/holdfast/config.toml") << "[prices]\n\"gpt-5.5\" = { input = 4, cache_reed = 3 }\n";
  EXPECT_EQ(sh("$H ls"), 1);
  EXPECT_TRUE(has(err, "there is no setting prices.gpt-5.5.cache_reed; did you mean prices.gpt-5.5.cache_read?"))
      << err;
  EXPECT_EQ(sh("$H config unset prices.gpt-5.5.cache_reed && $H ls"), 1);
  EXPECT_FALSE(has(err, "cache_reed")) << err;
  EXPECT_EQ(sh("$H config get prices.gpt-5.5.input"), 0) << err;
}

TEST_F(ConfigCommand, RefusesValuesThatCommandsWouldReject) {
  EXPECT_EQ(sh("$H config set archive.min_free 5X"), 2);
  EXPECT_EQ(err, "holdfast: archive.min_free must be a size such as 500M or 2G\n");
  EXPECT_EQ(sh("$H config set archive.exclude nonesuch"), 2);
  EXPECT_EQ(err, "holdfast: archive.exclude names \"nonesuch\", which is neither an agent nor a directory\n");
  EXPECT_EQ(sh("$H config set archive.exclude '[\"codex\", 3]'"), 2);
  EXPECT_FALSE(std::filesystem::exists(home + "/.config"));
  EXPECT_EQ(sh("$H config set archive.min_free 5G"), 0) << err;
  EXPECT_EQ(sh("HOLDFAST_METRICS=perhaps $H config set archive.keep_days 3"), 0) << "that is about another setting";
  EXPECT_EQ(sh("$H ls"), 1) << err;
}

TEST_F(ConfigCommand, ListValueRoundTrips) {
  for (const char* const typed : {"'[\"codex\",\"/x\"]'", "'[ \"codex\", \"/x\" ]'", "codex,/x", "'codex, /x'"}) {
    EXPECT_EQ(sh("$H config set archive.exclude " + std::string(typed)), 0) << typed << err;
    EXPECT_EQ(sh("$H config get archive.exclude"), 0) << err;
    EXPECT_EQ(out, "[\"codex\",\"/x\"]\n") << typed;
    EXPECT_EQ(sh("$H config set archive.exclude \"$($H config get archive.exclude)\""), 0) << err;
    EXPECT_EQ(file(), "[archive]\nexclude = [\"codex\", \"/x\"]\n") << typed;
  }
}

TEST_F(ConfigCommand, RemovesTableWithItsLastKey) {
  EXPECT_EQ(sh("$H config set metrics true && $H config set prices.fake-model.input 1"), 0) << err;
  EXPECT_EQ(sh("$H config set prices.fake-model.output 2 && $H config unset prices.fake-model.input"), 0) << err;
  EXPECT_TRUE(has(file(), "output = 2")) << file();
  EXPECT_EQ(sh("$H config unset prices.fake-model.output"), 0) << err;
  EXPECT_EQ(file(), "metrics = true\n\n");
}

TEST_F(ConfigCommand, ErrorNamesBrokenFile) {
  std::filesystem::create_directories(home + "/.config/holdfast");
  std::ofstream(home + "/.config/holdfast/config.toml") << "metrics = \n";
  EXPECT_EQ(sh("$H config set metrics true"), 2);
  EXPECT_TRUE(err.starts_with("holdfast: the configuration cannot be read: ") &&
              err.ends_with("(" + home + "/.config/holdfast/config.toml)\n"))
      << err;
  EXPECT_EQ(file(), "metrics = \n");
}

// Whatever the command, the exit code and the words are the same; what needs no settings still works.
TEST_F(ConfigCommand, BrokenOrUnreadableFileIsTheSameForEveryCommand) {
  const std::string path = home + "/.config/holdfast/config.toml", as = ordinary_holdfast();
  std::filesystem::create_directories(home + "/.config/holdfast");
  const auto expect_all = [&](int code, const std::string& words) {
    for (const std::string command : {"",
                                      "ls",
                                      "stores",
                                      "show x",
                                      "search x",
                                      "stats",
                                      "verify",
                                      "config list",
                                      "config get store",
                                      "config set metrics true",
                                      "config unset metrics",
                                      "mcp install codex",
                                      "hooks install claude-code",
                                      "archive status",
                                      "session list",
                                      "session create",
                                      "init",
                                      "call session.list",
                                      "rpc",
                                      "mcp",
                                      "doctor"}) {
      EXPECT_EQ(sh(as + command + " </dev/null"), code) << command << out << err;
      EXPECT_TRUE(has(out + err, words)) << command << ": " << out << err;
      EXPECT_TRUE(has(out + err, "config/holdfast/config.toml")) << command << ": " << out << err;
    }
    for (const std::string command : {"help", "help ls", "version", "config path", "api", "man", "completions bash"})
      EXPECT_EQ(sh(as + command), 0) << command << err;
  };
  std::ofstream(path) << "redact_inputs = true\nmetrics = tru\n";
  ASSERT_EQ(sh(give_home()), 0) << err;
  expect_all(2, "the configuration cannot be read: line 2: ");
  ASSERT_EQ(sh("chmod 000 $HOME/.config/holdfast/config.toml"), 0) << err;
  expect_all(5, "Permission denied");
  ASSERT_EQ(sh("chmod 600 $HOME/.config/holdfast/config.toml"), 0) << err;
  std::ofstream(path) << "store = \"nobody:/x\"\n";
  EXPECT_EQ(sh("$H ls"), 2) << out;
  EXPECT_TRUE(has(err, "there is no layout nobody (" + path + ")")) << err;
}

// Systems install settings for their users; whoever could replace them decides what they say.
TEST_F(ConfigCommand, FolderOfRootIsRead) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  const std::string folder = home + "/.config/holdfast", as = ordinary_holdfast();
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/config.toml") << "metrics = true\n";
  ASSERT_EQ(sh(give_home() + " && chown -R 0:0 $HOME/.config/holdfast && chmod 755 $HOME/.config/holdfast && "
                             "chmod 644 $HOME/.config/holdfast/config.toml"),
            0)
      << err;
  EXPECT_EQ(sh(as + "config get metrics"), 0) << err;
  EXPECT_EQ(out, "true\n");
  EXPECT_EQ(sh(as + "session create"), 0) << err;
  EXPECT_EQ(sh(as + "config set metrics false"), 5) << out;
  ASSERT_EQ(sh("chmod 777 $HOME/.config/holdfast"), 0) << err;
  EXPECT_NE(sh(as + "config get metrics"), 0) << "anybody may replace it";
  ASSERT_EQ(sh("chmod 755 $HOME/.config/holdfast && chown 12345 $HOME/.config/holdfast"), 0) << err;
  EXPECT_NE(sh(as + "config get metrics"), 0) << "another user may replace it";
}

// Its configuration is never trusted, so its owner does not matter.
TEST_F(ConfigCommand, ProjectOfAnotherUserIsNoObstacle) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  const std::string as = ordinary_holdfast();
  ASSERT_EQ(sh(give_home() + " && mkdir -p $HOME/theirs/.git $HOME/theirs/.holdfast && "
                             "echo 'redact_inputs = true' > $HOME/theirs/.holdfast/config.toml && "
                             "chown -R 12345 $HOME/theirs && chmod -R a+rX $HOME/theirs"),
            0)
      << err;
  EXPECT_EQ(sh("cd $HOME/theirs && " + as + "config get redact_inputs"), 0) << err;
  EXPECT_EQ(out, "true\n");
}

TEST_F(ConfigCommand, ConcurrentSetsAllSucceed) {
  EXPECT_EQ(
      sh("for i in 1 2 3 4 5 6 7 8 9 10; do { $H config set prices.m$i.input $i || echo failed $i; } & done; wait"), 0);
  EXPECT_EQ(out + err, "");
  for (int i = 1; i <= 10; ++i) {
    EXPECT_EQ(sh("$H config get prices.m" + std::to_string(i) + ".input"), 0) << file();
    EXPECT_EQ(out, std::to_string(i) + "\n");
  }
  EXPECT_EQ(sh("ls -A $HOME/.config/holdfast"), 0);
  EXPECT_EQ(out, "config.toml\n");
}

TEST_F(ConfigCommand, RemovesStaleTemporaryFileAndKeepsMode) {
  std::filesystem::create_directories(home + "/.config/holdfast");
  std::ofstream(home + "/.config/holdfast/config.toml") << "metrics = true\n";
  std::ofstream(home + "/.config/holdfast/.config.toml.x.new") << "half";
  EXPECT_EQ(sh("chmod 444 $HOME/.config/holdfast/config.toml && $H config set metrics false"), 0) << err;
  EXPECT_EQ(sh("ls -A $HOME/.config/holdfast && stat -c %a $HOME/.config/holdfast/config.toml"), 0);
  EXPECT_EQ(out, "config.toml\n444\n");
  EXPECT_EQ(file(), "metrics = false\n");
  EXPECT_EQ(sh("rm -r $HOME/.config && $H config unset metrics"), 0) << err;
  EXPECT_FALSE(std::filesystem::exists(home + "/.config"));
}

TEST_F(ConfigCommand, FollowsLinkAndWarnsOfUnknownKeys) {
  std::filesystem::create_directories(home + "/.config/holdfast");
  std::ofstream(home + "/dotfile") << "metric = true\n";
  std::filesystem::create_symlink(home + "/dotfile", home + "/.config/holdfast/config.toml");
  EXPECT_EQ(sh("$H config set metrics true"), 0) << err;
  EXPECT_TRUE(std::filesystem::is_symlink(home + "/.config/holdfast/config.toml"));
  EXPECT_EQ(text("dotfile"), "metric = true\nmetrics = true\n");
  EXPECT_EQ(sh("$H config list"), 0);
  EXPECT_TRUE(has(err, "metric is not a setting")) << err;
}

TEST_F(ConfigCommand, UnsetsUnknownKeys) {
  std::filesystem::create_directories(home + "/.config/holdfast");
  std::ofstream(home + "/.config/holdfast/config.toml") << "bogus = 1\nredact_inputs = true\n";
  EXPECT_EQ(sh("$H config set bogus 2"), 2) << out;
  ASSERT_EQ(sh("$H config unset bogus"), 0) << err;
  EXPECT_EQ(file(), "redact_inputs = true\n");
  EXPECT_EQ(sh("$H config unset bogus"), 2) << out;
  EXPECT_EQ(sh("echo 'store = 5' > $HOME/.config/holdfast/config.toml && $H ls"), 2) << out;
  EXPECT_TRUE(has(err, "store must be written in quotes, not as a number, a list or a table")) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
