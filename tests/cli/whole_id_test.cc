// An id may be abbreviated, but if session-1 is gone, session-1 does not mean session-10.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct AbbreviatedId : CliHome {
  std::string other() {
    EXPECT_EQ(sh("$H call session.get '{\"id\":\"session-10\"}'"), 0) << err;
    return out;
  }
  void SetUp() override {
    CliHome::SetUp();
    for (const char* id : {"session-1", "session-10"})
      ASSERT_EQ(sh("$H call session.create '{\"id\":\"" + std::string(id) + "\",\"title\":\"" + id + "\"}'"), 0) << err;
    ASSERT_EQ(sh("$H call message.append '{\"session\":\"session-10\",\"text\":\"hello\"}'"), 0) << err;
    ASSERT_EQ(sh("$H rm session-1 --yes"), 0) << err;
  }
};

TEST_F(AbbreviatedId, CommandDoesNotChangeSessionWithLongerId) {
  const std::string before = other();
  for (const char* line :
       {"message append session-1 ghost", "session update session-1 --title ghost", "session end session-1",
        "session delete session-1 --yes", "session fork session-1", "rm session-1 --yes", "session resume session-1",
        "tool start session-1 edit", "session compact session-1 --summary ghost", "session clear session-1 --yes"}) {
    EXPECT_EQ(sh("$H " + std::string(line)), 3) << line << out << err;
    EXPECT_TRUE(err.contains("session-1")) << line << err;
    EXPECT_EQ(other(), before) << line;
  }
  EXPECT_EQ(sh("$H session get session-1"), 0) << err;  // reading accepts any abbreviation
  EXPECT_EQ(sh("$H restore session-1"), 0) << err;
  EXPECT_EQ(sh("$H message append session-1 back"), 0) << err;
  EXPECT_EQ(other(), before);
}

TEST_F(AbbreviatedId, UnambiguousPrefixIsAccepted) {
  for (const char* line : {"show sess", "message append sess more", "session update session- --title short",
                           "session end sess", "session resume sess", "rm sess --yes"})
    EXPECT_EQ(sh("$H " + std::string(line)), 0) << line << out << err;
  EXPECT_EQ(sh("$H restore session-"), 3) << out << err;
  EXPECT_TRUE(err.contains("ambiguous")) << err;
  EXPECT_EQ(sh("$H restore session-10"), 0) << err;
  EXPECT_TRUE(other().contains("\"title\":\"short\""));
}

TEST_F(AbbreviatedId, RequestDoesNotChangeSessionWithLongerId) {
  const std::string before = other();
  const std::vector<std::string> requests = {
      R"("method":"message.append","params":{"session":"session-1","text":"ghost"})",
      R"("method":"session.update","params":{"id":"session-1","title":"ghost"})",
      R"("method":"session.end","params":{"id":"session-1"})",
      R"("method":"session.delete","params":{"id":"session-1"})",
      R"("method":"session.fork","params":{"id":"session-1"})",
      R"("method":"session.trash","params":{"id":"session-1"})",
      R"("method":"session.resume","params":{"id":"session-1"})"};
  for (const std::string& request : requests) {
    const std::string head = R"({"jsonrpc":"2.0","id":1,)";
    std::ofstream(home + "/requests") << head << R"("method":"hello"})" << "\n" << head << request << "}\n";
    ASSERT_EQ(sh("$H rpc <$HOME/requests"), 0) << request << err;
    EXPECT_TRUE(out.contains("\"not_found\"")) << request << out;
    EXPECT_TRUE(out.contains("there is no session session-1")) << request << out;
    EXPECT_EQ(other(), before) << request;
  }
}

// Nobody could reach such a session: what is written to it would go to another.
struct ReservedId : CliHome {};

TEST_F(ReservedId, IdThatMeansAnotherSessionIsRefused) {
  for (const std::string layout : {"holdfast", "open-agent", "linggen", "maestro", "lopen"}) {
    SCOPED_TRACE(layout);
    const std::string store = " --store " + layout + ":" + home + "/" + layout;
    for (const char* id : {"@last", "@", "@first"}) {
      EXPECT_EQ(sh("$H call session.create '{\"id\":\"" + std::string(id) + "\"}'" + store), 2) << id << out;
      EXPECT_TRUE(err.contains("not a valid session id: " + std::string(id))) << err;
    }
  }
  // Linggen's name for one of several sessions with that id.
  EXPECT_NE(sh("$H call session.create '{\"id\":\"default@-p\"}' --store linggen:$HOME/linggen"), 0) << out;
  EXPECT_TRUE(err.contains("not a valid session id: default@-p")) << err;
  ASSERT_EQ(sh("$H session create --id plain --title t --store linggen:$HOME/linggen"), 0) << err;
  ASSERT_EQ(sh("$H message append @last hello --store linggen:$HOME/linggen --json"), 0) << err;
  EXPECT_EQ(field({"session"}), "plain") << out;
}

}  // namespace
}  // namespace holdfast::inline v1
