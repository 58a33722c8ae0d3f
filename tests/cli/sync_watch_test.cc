// `holdfast sync --watch`: two homes that follow each other until they are stopped.
#include "tests/cli/tail_process_testing.h"
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncWatch : TwoMachines {
  void SetUp() override {
    TwoMachines::SetUp();
    share_from_a();
    ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  }
  // Returns the next line that contains the text; a new machine is announced in a separate line.
  static std::string line_with(TailProcess& process, const std::string& text) {
    std::string all;
    for (int n = 0; n < 5; ++n) {
      const std::string line = process.next_line();
      if (line.contains(text)) return line;
      all += line + "\n";
    }
    ADD_FAILURE() << "no " << text << " in\n" << all;
    return {};
  }
  void record_elsewhere(const std::string& which) {
    put(home + "/a/.claude/projects/-other/" + which + ".jsonl",
        R"({"type":"user","uuid":"u0","parentUuid":null,"sessionId":")" + which + R"(","cwd":")" + home +
            R"(/a/other","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"elsewhere"}})" + "\n");
  }
};

TEST_F(SyncWatch, NewMessagesReachTheOtherMachine) {
  TailProcess a(home + "/a", {"--watch", "--every", "1"}, "sync");
  EXPECT_TRUE(a.next_line().contains("nas: nothing new"));
  TailProcess b(home + "/b", {"nas", "--watch", "--every", "1", "--fetch", "all"}, "sync");
  const std::string met = b.next_line();
  EXPECT_TRUE(met.contains("nas: received 1 session, fetched 1 (") && met.contains("new here: laptop")) << met;
  record({"please list the files", "and now count them", "one more thing"});
  EXPECT_NE(line_with(a, "nas: sent 1 session ("), "");
  EXPECT_NE(line_with(b, "received 1 session, fetched 1 ("), "");
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("one more thing")) << out;
  // What is unshared while it runs is withdrawn in the next round.
  ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
  EXPECT_NE(line_with(a, "withdrew 1"), "");
  EXPECT_NE(line_with(b, "1 no longer shared"), "");
}

TEST_F(SyncWatch, ContactsRemoteForSharedProjectsOnly) {
  TailProcess a(home + "/a", {"--watch", "--every", "3600"}, "sync");
  EXPECT_TRUE(a.next_line().contains("nas: nothing new"));
  // A request to the remote would now find it gone, and report it.
  fs::rename(home + "/share", home + "/away");
  record_elsewhere("dddddddd-0000-4000-8000-000000000002");
  ASSERT_EQ(sh("export HOME=$HOME/a; until $H archive status --json | grep -q '\"sessions\":2'; do sleep 0.1; done"),
            0);
  fs::rename(home + "/away", home + "/share");
  record({"please list the files", "and now count them", "one more thing"});
  const std::string line = a.next_line();
  EXPECT_TRUE(line.contains("sent 1 session (")) << line;
}

TEST_F(SyncWatch, ReportsRemoteAsUnreachableOnceAndAsBack) {
  TailProcess a(home + "/a", {"--watch", "--every", "1", "--json"}, "sync");
  EXPECT_TRUE(a.next_line().contains(R"("event":"synced","sent":{"sessions":0)"));
  fs::rename(home + "/share", home + "/away");
  const std::string away = a.next_line();
  EXPECT_TRUE(away.contains(R"("remote":"nas","event":"unreachable","error":)")) << away;
  record({"please list the files", "and now count them", "one more thing"});
  ::usleep(2'500'000);  // meanwhile it retries
  fs::rename(home + "/away", home + "/share");
  EXPECT_TRUE(a.next_line().contains(R"("remote":"nas","event":"back"})"));
  const std::string sent = a.next_line();
  EXPECT_TRUE(sent.contains(R"("event":"synced","sent":{"sessions":1)")) << sent;
}

TEST_F(SyncWatch, OnlyOneWatchPerRemote) {
  TailProcess a(home + "/a", {"--watch", "--every", "3600"}, "sync");
  EXPECT_TRUE(a.next_line().contains("nas: nothing new"));
  EXPECT_EQ(sh("env HOME=$HOME/a timeout 20 $H sync --watch"), 6) << out << err;
  EXPECT_TRUE(err.contains("another holdfast sync --watch is running for nas")) << err;
  EXPECT_EQ(on("a", "sync"), 0) << "a sync beside it is fine" << err;
  EXPECT_EQ(a.end(SIGINT), 0);
  EXPECT_EQ(a.next_line(), "sent 0 sessions; received 0 sessions");
  ASSERT_EQ(sh("export HOME=$HOME/a; $H sync watch nas --json > seen & P=$!; until_in synced seen;"
               " kill -TERM $P; wait $P && cat seen"),
            0)
      << err;
  EXPECT_TRUE(out.contains(R"({"schema_version":1,"sent":0,"withdrawn":0,"received":0})")) << out;
}

TEST_F(SyncWatch, ChecksItsOptions) {
  ASSERT_EQ(on("a", "sync --help"), 0) << err;
  EXPECT_TRUE(out.contains("--watch")) << out;
  for (const char* const line : {"sync watch --help", "help sync watch"}) {
    ASSERT_EQ(on("a", line), 0) << err;
    for (const char* const word : {"[NAME]", "--fetch", "--every N", "holdfast sync --watch"})
      EXPECT_TRUE(out.contains(word)) << word << out;
  }
  EXPECT_EQ(on("a", "sync --watch --every 0"), 2) << out;
  EXPECT_EQ(on("a", "sync other --watch"), 3) << out;
  ASSERT_EQ(on("a", "sync --watch --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("send new data of")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
