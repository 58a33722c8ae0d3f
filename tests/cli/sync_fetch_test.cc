// Which sessions `sync --fetch` downloads: those of the last days, or those of a project.
#include <algorithm>
#include <chrono>

#include "base/time.h"
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncFetch : TwoMachines {
  const std::string fresh = "aaaaaaaa-0000-4000-8000-000000000001", old = "bbbbbbbb-0000-4000-8000-000000000002",
                    other = "eeeeeeee-0000-4000-8000-000000000003";

  // Machine a shares three sessions: one of today and one that is 40 days old of `thing`, one of 10 days of `other`.
  void SetUp() override {
    TwoMachines::SetUp();
    fs::remove_all(home + "/a/.claude");
    for (const char* place : {"/a/src/other", "/b/src/elsewhere"})
      put(home + place + "/.git/config", "[remote \"origin\"]\n\turl = git@example.org:me/other.git\n");
    say(fresh, "thing", 0);
    say(old, "thing", 40);
    say(other, "other", 10);
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    for (const char* project : {"src/thing", "src/other"})
      ASSERT_EQ(on("a", "remote share " + std::string(project) + " --with nas"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    EXPECT_TRUE(out.contains("sent 3 sessions")) << out;
    ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  }
  void say(const std::string& session, const std::string& project, int days) {
    const auto at = std::chrono::system_clock::now() - std::chrono::hours(24 * days + 1);
    const std::string path = home + "/a/.claude/projects/-" + project + "/" + session + ".jsonl";
    put(path, R"({"type":"user","uuid":"u0","parentUuid":null,"sessionId":")" + session + R"(","cwd":")" + home +
                  "/a/src/" + project + R"(","timestamp":")" + iso8601(at) +
                  R"(","message":{"role":"user","content":"of )" + project + "\"}}\n");
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(24 * days + 1));
  }
  // Expects that exactly these sessions can be shown on b without the remote, and the others cannot.
  void expect_here(const std::vector<std::string>& wanted) {
    fs::rename(home + "/share", home + "/away");
    for (const std::string& session : {fresh, old, other}) {
      const bool here = std::ranges::find(wanted, session) != wanted.end();
      EXPECT_EQ(on("b", "show " + session + " --machine laptop"), here ? 0 : 7) << session << out << err;
      EXPECT_EQ(out.contains("of "), here) << session << out;
    }
    fs::rename(home + "/away", home + "/share");
    ASSERT_EQ(on("b", "ls --machine laptop --json"), 0) << err;
    EXPECT_EQ(field({"total"}), "3") << "all are listed: " << out;
  }
};

TEST_F(SyncFetch, NothingUnlessAsked) {
  ASSERT_EQ(on("b", "sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("received 3 sessions\n")) << out;
  expect_here({});
}

TEST_F(SyncFetch, SessionsOfTheLastDays) {
  ASSERT_EQ(on("b", "sync --fetch 5d"), 0) << out << err;
  EXPECT_TRUE(out.contains("received 3 sessions, fetched 1 (")) << out;
  expect_here({fresh});
  ASSERT_EQ(on("b", "sync nas --fetch 30d"), 0) << out << err;
  EXPECT_TRUE(out.contains("received 0 sessions, fetched 1 (")) << "what is here is not fetched again: " << out;
  expect_here({fresh, other});
  ASSERT_EQ(on("b", "sync --fetch 30d"), 0) << out << err;
  EXPECT_FALSE(out.contains("fetched")) << out;
  ASSERT_EQ(on("b", "sync --fetch 60d --json"), 0) << out << err;
  EXPECT_TRUE(out.contains(R"("fetched":1)")) << out;
  expect_here({fresh, old, other});
}

// Another checkout of the same repository, in another place.
TEST_F(SyncFetch, SessionsOfAProjectByItsDirectory) {
  ASSERT_EQ(on("b", "sync --fetch src/elsewhere"), 0) << out << err;
  EXPECT_TRUE(out.contains("received 3 sessions, fetched 1 (")) << out;
  expect_here({other});
  ASSERT_EQ(on("b", "sync --fetch .", "/src/copy"), 0) << out << err;
  EXPECT_TRUE(out.contains("fetched 2 (")) << out;
  expect_here({fresh, old, other});
}

// On the command line this would be a path.
TEST_F(SyncFetch, SessionsOfAProjectByItsIdentity) {
  ASSERT_EQ(on("b", R"(call sync.run '{"fetch":"example.org/me/thing"}')"), 0) << out << err;
  EXPECT_TRUE(out.contains(R"("fetched":2)")) << out;
  expect_here({fresh, old});
}

TEST_F(SyncFetch, SaysSoIfNobodySharesTheProject) {
  fs::create_directories(home + "/b/src/unknown");
  ASSERT_EQ(on("b", "sync --fetch src/unknown"), 0) << out << err;
  EXPECT_FALSE(out.contains("fetched")) << out;
  EXPECT_TRUE((out + err).contains("no other machine shares sessions of " + home + "/b/src/unknown")) << out << err;
  EXPECT_EQ(on("b", "sync --fetch " + home + "/b/nowhere"), 3) << out;
  EXPECT_EQ(on("b", "sync --fetch 30"), 2) << out;
  expect_here({});
}

}  // namespace
}  // namespace holdfast::inline v1
