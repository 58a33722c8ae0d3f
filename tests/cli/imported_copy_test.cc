// A session and its imported copy have the same id: nobody who looks may get the old one without a word.
#include "tests/cli/cli_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

struct ImportedCopy : CliHome {
  const std::string id = "7772ed23-8ba2-4be5-88be-f3097ad461f8";
};

TEST_F(ImportedCopy, IsNotShownInsteadOfTheSession) {
  ClaudeLog log(home, id);
  log.prompt("first");
  ASSERT_EQ(sh("$H export 7772 --format json > $HOME/x.json && $H import $HOME/x.json"), 0) << err;
  log.prompt("second");
  for (const std::string command : {"show", "verify", "tail", "export", "resume --print"}) {
    EXPECT_EQ(sh("$H " + command + " 7772"), 3) << command << out;
    EXPECT_TRUE(err.contains("ambiguous") && err.contains("claude-code/" + id) && err.contains("holdfast/" + id))
        << command << err;
  }
  ASSERT_EQ(sh("$H show claude-code/7772"), 0) << err;
  EXPECT_TRUE(out.contains("second")) << out;
  ASSERT_EQ(sh("$H show holdfast/7772"), 0) << err;
  EXPECT_FALSE(out.contains("second")) << out;
  // An agent that keeps its sessions in the store means its own.
  ASSERT_EQ(sh("$H session get " + id), 0) << err;
  EXPECT_TRUE(out.contains("holdfast")) << out;
  ASSERT_EQ(sh("$H message append " + id + " more"), 0) << err;
}

// Of the two, the session of the agent can never be meant.
TEST_F(ImportedCopy, IsRemovedByTheIdAlone) {
  ClaudeLog log(home, id);
  log.prompt("first");
  ASSERT_EQ(sh("$H export 7772 --format json > $HOME/x.json && $H import $HOME/x.json"), 0) << err;
  EXPECT_EQ(sh("$H rm claude-code/7772 --yes"), 2) << out;
  ASSERT_EQ(sh("$H rm 7772 --yes"), 0) << err;
  ASSERT_EQ(sh("$H show 7772"), 0) << err;
  EXPECT_TRUE(out.contains("claude-code")) << out;
  EXPECT_EQ(sh("$H rm 7772 --yes"), 2) << out;
  EXPECT_TRUE(err.contains("Holdfast never deletes what other agents keep")) << err;
}

TEST_F(ImportedCopy, PrefixMeansSessionsOfAllStores) {
  ClaudeLog(home, "5e5a0000-0000-4000-8000-000000000001").prompt("first");
  ASSERT_EQ(sh("$H session create --id 5e5b"), 0) << err;
  EXPECT_EQ(sh("$H show 5e5"), 3) << out;
  EXPECT_TRUE(err.contains("claude-code/5e5a0000") && err.contains("holdfast/5e5b")) << err;
  EXPECT_EQ(sh("$H show 5e5b"), 0) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
