// holdfast call: one operation for a program, with the options of the command line.
#include "tests/cli/cli_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

struct CallCommand : CliHome {};

// Whichever was meant, writing to the other one would be wrong.
TEST_F(CallCommand, RefusesConflictingStores) {
  const std::string given = "holdfast:" + home + "/other", option = " --store holdfast:" + home + "/one";
  EXPECT_EQ(sh("$H call session.create '{\"store\":\"" + given + "\"}'" + option), 2) << out;
  EXPECT_TRUE(err.contains(given) && err.contains(home + "/one")) << err;
  EXPECT_FALSE(std::filesystem::exists(home + "/other") || std::filesystem::exists(home + "/one"));
  for (const std::string& store : {"\"holdfast:" + home + "/one\"", std::string("null")})
    EXPECT_EQ(sh("$H call session.create '{\"store\":" + store + "}'" + option), 0) << err;
  ASSERT_EQ(sh("$H call session.list" + option), 0) << err;
  EXPECT_EQ(field({"total"}), "2") << out;
}

TEST_F(CallCommand, VerifyExitCodeMatchesCommand) {
  ClaudeLog log(home, "aaaa1111-0000-4000-8000-000000000001");
  log.prompt("first");
  EXPECT_EQ(sh("$H call store.verify"), 0) << err;
  std::ofstream(log.path, std::ios::app) << "{\"torn\n" << R"({"type":"user"})" << "\n";
  EXPECT_EQ(sh("$H verify"), 4) << err;
  EXPECT_EQ(sh("$H call store.verify"), 4) << err;
  EXPECT_NE(field({"total"}), "0") << out;
  EXPECT_EQ(sh("$H call session.search '{\"words\":[\"nothing-like-it\"]}'"), 0) << "an empty list is an answer";
}

// As in JSON Schema, 2.0 is an integer.
TEST_F(CallCommand, AcceptsIntegersInAnySpelling) {
  ASSERT_EQ(sh("for n in 1 2 3; do $H session create; done"), 0) << err;
  for (const std::string limit : {"2", "2.0", "2e0", "0.2E1"}) {
    ASSERT_EQ(sh("$H call session.list '{\"limit\":" + limit + "}'"), 0) << limit << err;
    EXPECT_EQ(field({"next"}), "2") << limit << out;
  }
  for (const std::string limit : {"2.5", "1e30", "9007199254740993.0", "\"2\""}) {
    EXPECT_EQ(sh("$H call session.list '{\"limit\":" + limit + "}'"), 2) << limit << out;
    EXPECT_TRUE(err.contains("session.list: limit must be an integer")) << limit << err;
  }
  EXPECT_EQ(sh("$H call session.list '{\"limit\":2.0,\"limit\":2}'"), 2) << "given twice: " << out;
}

// Inside of objects too. Files hold the plain form, which other programs read.
TEST_F(CallCommand, AcceptsNestedIntegersInAnySpelling) {
  ASSERT_EQ(sh("$H session create --id one"), 0) << err;
  const auto append = [&](const std::string& input) {
    return sh(R"($H call message.append '{"session":"one","message":{"role":"assistant","text":"x","usage":{"input":)" +
              input + "}}}'");
  };
  for (const std::string input : {"30", "30.0", "3e1"}) {
    ASSERT_EQ(append(input), 0) << input << err;
    ASSERT_EQ(sh("$H call message.list '{\"session\":\"one\",\"last\":1}'"), 0) << err;
    EXPECT_TRUE(out.contains(R"("usage":{"input":30,)")) << input << out;
  }
  EXPECT_EQ(append("1.5"), 2) << out;
  EXPECT_TRUE(err.contains("usage.input must be a whole number")) << err;
  const auto mission = [&](const std::string& seconds) {
    return sh(
        R"($H call mission.set '{"text":"t","project":"/p","agents":[{"id":"a"},{"id":"b","idle_interval_secs":)" +
        seconds + "}]}' --store linggen:$HOME/linggen");
  };
  ASSERT_EQ(mission("6e1"), 0) << err;
  EXPECT_TRUE(out.contains(R"({"id":"b","idle_interval_secs":60})")) << out;
  ASSERT_EQ(sh("grep -rh idle_interval_secs $HOME/linggen"), 0) << err;
  EXPECT_TRUE(out.contains(R"("idle_interval_secs":60})")) << out;
  EXPECT_EQ(mission("60.5"), 2) << out;
  EXPECT_TRUE(err.contains("agents[1].idle_interval_secs must be an integer of at least 0")) << err;
  ASSERT_EQ(
      sh(R"($H call interview.record '{"skill":"s","project":"/p","confidence":{"problem_understanding":80.0}}')"), 0)
      << err;
  EXPECT_TRUE(out.contains(R"("problem_understanding":80,)")) << out;
}

TEST_F(CallCommand, ErrorMessagesNameTheProblem) {
  EXPECT_NE(sh("$H call events.subscribe"), 0);
  EXPECT_TRUE(err.contains("holdfast rpc, or Store::subscribe of the C++ library")) << err;
  const std::string store = " --store holdfast:" + home + "/h";
  ASSERT_EQ(sh("$H call session.create" + store), 0) << err;
  EXPECT_NE(sh("$H call record.put '{\"kind\":\"agent\",\"id\":\"../x\",\"record\":{}}'" + store), 0);
  EXPECT_TRUE(err.contains("not a valid id for an agent: ../x")) << err;
  EXPECT_NE(sh("$H call initiative.get" + store), 0);
  EXPECT_TRUE(err.contains("an initiative needs a project")) << err;
  EXPECT_EQ(sh("$H call session.list '{\"limit\":\"x\"}'"), 2);
  EXPECT_TRUE(err.contains("limit must be an integer")) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
