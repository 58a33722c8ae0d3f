// Projects in projects, machines of one name, and which session or machine was meant.
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncNames : TwoMachines {
  const std::string inner = "dddddddd-0000-4000-8000-000000000002";

  // A session of a folder inside another, neither of them a repository.
  void SetUp() override {
    TwoMachines::SetUp();
    put_session("cccccccc-0000-4000-8000-000000000003", "p", "text of the outer one");
    put_session(inner, "p/sub", secret);
    fs::create_directories(home + "/a/p/sub");
  }
  void put_session(const std::string& session, const std::string& project, const std::string& text) const {
    put(home + "/a/.claude/projects/-p/" + session + ".jsonl",
        R"({"type":"user","uuid":")" + session + R"(","parentUuid":null,"sessionId":")" + session + R"(","cwd":")" +
            home + "/a/" + project + R"(","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":")" +
            text + "\"}}\n");
  }
  std::string seen_by_b() {
    EXPECT_EQ(on("b", "sync --fetch all"), 0) << err;
    on("b", "ls --machine laptop --json");
    return out;
  }
};

TEST_F(SyncNames, UnsharingAPartNeverSendsMoreOfIt) {
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share p --with nas"), 0) << err;
  ASSERT_EQ(on("a", "remote share p/sub --with nas --policy redacted"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  const std::string part = "it is part of " + home + "/a/p, which stays shared without it";
  ASSERT_EQ(on("a", "remote unshare p/sub --with nas --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains(part)) << out;
  ASSERT_EQ(on("a", "remote unshare p/sub --with nas"), 0) << err;
  EXPECT_TRUE(out.contains("erases there what was shared of it") && out.contains(part)) << out;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("withdrew 1")) << out;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  std::string there = seen_by_b();
  EXPECT_TRUE(there.contains("text of the outer one") && !there.contains(secret) && !there.contains("redacted"))
      << there;
  ASSERT_EQ(on("a", "remote list"), 0) << err;
  EXPECT_TRUE(out.contains("keeps back " + home + "/a/p/sub")) << out;
  ASSERT_EQ(on("a", "sync status"), 0) << err;
  EXPECT_TRUE(out.contains("1 project shared")) << out;
  // It is not shared, so this cannot be ended again.
  EXPECT_EQ(on("a", "remote unshare p/sub --with nas"), 3) << out;
  EXPECT_TRUE(err.contains("this project is not shared with nas")) << err;
  // Whoever names it, shares it.
  ASSERT_EQ(on("a", "remote share p/sub --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(seen_by_b().contains(secret)) << out;
}

TEST_F(SyncNames, APartThatHadNoShareOfItsOwnIsKeptBackUntilTheWholeIsUnshared) {
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share p --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "remote unshare p/sub --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("withdrew 1")) << out;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  EXPECT_FALSE(seen_by_b().contains(secret)) << out;
  ASSERT_EQ(on("a", "remote unshare p --with nas"), 0) << err;
  ASSERT_EQ(on("a", "remote list"), 0) << err;
  EXPECT_TRUE(out.contains("shares nothing") && !out.contains("keeps back")) << out;
}

TEST_F(SyncNames, ARepositoryInASharedFolderIsSharedAsItWasNamed) {
  put(home + "/a/p/sub/.git/config", "[remote \"origin\"]\n\turl = git@g.io:a/b.git\n");
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share p/sub --with nas --policy redacted"), 0) << err;
  ASSERT_EQ(on("a", "remote share p --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  const std::string there = seen_by_b();
  EXPECT_TRUE(there.contains("text of the outer one") && there.contains("\"ses_") && !there.contains(inner)) << there;
}

}  // namespace
}  // namespace holdfast::inline v1
