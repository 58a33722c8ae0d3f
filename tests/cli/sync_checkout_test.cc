// Checkouts come and go: what becomes of a directory erases nothing that was shared.
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncCheckout : TwoMachines {
  const std::string other = "dddddddd-0000-4000-8000-000000000002";

  // Writes a session on machine a in that directory below its home.
  void record_in(const std::string& directory, const std::string& prompts = "") {
    const std::string line = R"({"type":"user","uuid":"n0","parentUuid":null,"sessionId":")" + other + R"(","cwd":")" +
                             home + "/a/" + directory +
                             R"(","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"said in )" +
                             directory + prompts + "\"}}\n";
    put(home + "/a/.claude/projects/-other/" + other + ".jsonl", line);
  }
  void put_config(const std::string& directory, const std::string& url = "git@example.org:me/thing.git") const {
    put(home + "/a/" + directory + "/.git/config", "[remote \"origin\"]\n\turl = " + url + "\n");
  }
  void pair_b() {
    ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
    ASSERT_EQ(on("b", "sync"), 0) << err;
    ASSERT_EQ(on("b", "remote trust nas laptop"), 0) << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  }
  // Both machines sync, and nothing is withdrawn.
  void stays_on_b(const std::string& what) {
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_FALSE(out.contains("withdrew")) << what << ": " << out;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    EXPECT_FALSE(out.contains("no longer shared")) << what << ": " << out;
    ASSERT_EQ(on("b", "ls --machine laptop --json"), 0) << err;
    EXPECT_TRUE(out.contains(id) && out.contains(other)) << what << ": " << out;
  }
};

TEST_F(SyncCheckout, DeletingASecondCheckoutWithdrawsNothing) {
  put_config("wt/thing");
  record_in("wt/thing");
  share_from_a();
  pair_b();
  fs::remove_all(home + "/a/wt/thing");
  stays_on_b("the checkout is deleted");
  // It still belongs to the project: what is new in it is sent, and it goes with the project.
  record_in("wt/thing", " and more");
  stays_on_b("it goes on");
  ASSERT_EQ(on("b", "search \"and more\" --machine laptop"), 0) << out << err;
  // An empty directory is what an unmounted disk leaves, and a repository may get another address.
  fs::create_directories(home + "/a/wt/thing");
  stays_on_b("an empty directory is in its place");
  put_config("wt/thing", "git@example.org:fork/thing.git");
  stays_on_b("it has another address");
  ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("withdrew 2")) << out;
}

TEST_F(SyncCheckout, DeletingAWorktreeWithdrawsNothing) {
  const std::string git = home + "/a/src/thing/.git/worktrees/branch";
  put(git + "/commondir", "../..\n");
  put(home + "/a/branch/.git", "gitdir: " + git + "\n");
  record_in("branch");
  share_from_a();
  pair_b();
  fs::remove_all(home + "/a/branch");
  fs::remove_all(git);
  stays_on_b("the worktree is deleted");
}

TEST_F(SyncCheckout, SharingTheNewPlaceOfAMovedProjectKeepsWhatWasSaidInTheOldOne) {
  record_in("src/thing");
  share_from_a();
  pair_b();
  fs::create_directories(home + "/a/work");
  fs::rename(home + "/a/src/thing", home + "/a/work/thing");
  stays_on_b("the project is moved");
  ASSERT_EQ(on("a", "remote share work/thing --with nas"), 0) << err;
  stays_on_b("its new place is shared");
  ASSERT_EQ(on("a", "remote unshare work/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("withdrew 2")) << out;
}

// The other policies and a new epoch know it too.
TEST_F(SyncCheckout, DeletedCheckoutFollowsItsProjectThroughPoliciesAndEpochs) {
  put_config("wt/thing");
  record_in("wt/thing");
  share_from_a();
  fs::remove_all(home + "/a/wt/thing");
  const auto sends_both = [&](const std::string& policy) {
    ASSERT_EQ(on("a", "remote share src/thing --with nas --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_TRUE(out.contains("sent 2 sessions (")) << policy << ": " << out;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_FALSE(out.contains("withdrew")) << policy << ": " << out;
  };
  sends_both("redacted");
  sends_both("full");
  // The remote lost what was published: everything is published again.
  for (const auto& entry : fs::directory_iterator(home + "/share/streams")) fs::remove_all(entry.path());
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 2 sessions (")) << out << err;
}

// A session that was never sent does not go by what its directory may once have been.
TEST_F(SyncCheckout, SessionOfAnUnknownDirectoryIsNotShared) {
  share_from_a();
  record_in("gone/thing");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 0 sessions")) << out;
}

// A share names a project: another repository in its directory is not shared with it.
TEST_F(SyncCheckout, AnotherRepositoryInTheDirectoryIsNotShared) {
  share_from_a();
  const auto sends_nothing = [&](const std::string& directory) {
    record_in(directory);
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_TRUE(out.contains("sent 0 sessions")) << directory << ": " << out;
    EXPECT_FALSE(out.contains("withdrew")) << directory << ": " << out;
  };
  put_config("src/thing/nested", "git@example.org:me/private.git");
  sends_nothing("src/thing/nested");
  fs::remove_all(home + "/a/src/thing");
  put_config("src/thing", "git@example.org:me/private.git");
  sends_nothing("src/thing");
  sends_nothing("src/thing/below");
  // What goes on in a session that was sent belongs to the project that it was sent under.
  record({"please list the files", "and now count them", "and once more"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  // By its name it is shared.
  ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
}

TEST_F(SyncCheckout, ProjectsThatShareADirectoryKeepTheirPolicies) {
  const std::string before = "example.org/me/thing, which was shared from this directory before, stays shared (";
  const auto listed_by_b = [&] {
    EXPECT_EQ(on("b", "sync --fetch all"), 0) << err;
    EXPECT_EQ(on("b", "ls --machine laptop --json"), 0) << err;
    return out;
  };
  share_from_a();
  pair_b();
  put_config("src/thing", "git@example.org:me/second.git");
  ASSERT_EQ(on("a", "remote share src/thing --with nas --policy redacted"), 0) << err;
  EXPECT_TRUE(out.contains(before + "full)")) << out;
  record_in("src/thing");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  EXPECT_FALSE(out.contains("withdrew")) << out;
  std::string there = listed_by_b();
  EXPECT_TRUE(there.contains(id) && there.contains("redacted") && !there.contains(other)) << there;
  // The other way round, from the beginning.
  ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("withdrew 2")) << out;
  put_config("src/thing");
  ASSERT_EQ(on("a", "remote share src/thing --with nas --policy redacted"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 2 sessions (")) << out;
  put_config("src/thing", "git@example.org:me/second.git");
  ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
  EXPECT_TRUE(out.contains(before + "redacted)")) << out;
  const std::string third = "eeeeeeee-0000-4000-8000-000000000003";
  put(home + "/a/.claude/projects/-other/" + third + ".jsonl",
      R"({"type":"user","uuid":"m0","parentUuid":null,"sessionId":")" + third + R"(","cwd":")" + home +
          R"(/a/src/thing","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"third"}})" + "\n");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  EXPECT_FALSE(out.contains("withdrew")) << out;
  there = listed_by_b();
  EXPECT_TRUE(there.contains(third) && there.contains("redacted") && !there.contains(id)) << there;
}

// The directory is the project as long as it has no git remote; getting one changes nothing for it.
TEST_F(SyncCheckout, ProjectSharedByItsPathMayGetARepository) {
  fs::create_directories(home + "/a/notes");
  record_in("notes");
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share notes --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  put_config("notes", "git@example.org:me/notes.git");
  record_in("notes", " and more");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  // Sharing it again means what was sent by its path, too.
  ASSERT_EQ(on("a", "remote share notes --with nas --policy redacted"), 0) << err;
  EXPECT_TRUE(out.contains("erases what was shared in full")) << out;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("withdrew 1")) << out;
}

// A folder stays excluded under any git remote, until it is shared by name.
TEST_F(SyncCheckout, ExcludedFolderStaysExcludedWhenTheRepositoryIsRenamed) {
  share_from_a();
  fs::create_directories(home + "/a/src/thing/sub");
  record_in("src/thing/sub");
  ASSERT_EQ(on("a", "remote unshare src/thing/sub --with nas"), 0) << err;
  put_config("src/thing", "git@example.org:me/renamed.git");
  ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 0 sessions")) << out;
  ASSERT_EQ(on("a", "remote share src/thing/sub --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  ASSERT_EQ(on("a", "remote list"), 0) << err;
  EXPECT_FALSE(out.contains("withholds")) << out;
}

// The share was made from one checkout, and the session from another that is gone.
TEST_F(SyncCheckout, UnshareWithdrawsWhatWasSharedFromADeletedCheckout) {
  for (const std::string policy : {"full", "redacted"}) {
    put_config("src/work", "git@example.org:me/thing.git");
    record_in("src/work");
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    ASSERT_EQ(on("a", "remote share src/thing --with nas --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_TRUE(out.contains("sent 1 session (") || out.contains("sent 2 sessions (")) << out;
    const std::string sent = out;
    fs::remove_all(home + "/a/src/work");
    ASSERT_EQ(on("a", "remote unshare src/work --with nas --dry-run"), 0) << err;
    ASSERT_EQ(on("a", "remote unshare src/work --with nas"), 0) << err;
    EXPECT_TRUE(out.contains("were shared as example.org/me/thing, which is no longer shared")) << out;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_TRUE(out.contains("withdrew")) << out;
    EXPECT_NE(sh("find $HOME/share/chunks -type f | grep ."), 0) << out;
    EXPECT_EQ(on("a", "remote unshare src/work --with nas"), 3) << out;
    ASSERT_EQ(on("a", "remote remove nas --erase --yes"), 0) << err;
    ASSERT_EQ(sh("rm -rf $HOME/a/.local $HOME/share && mkdir $HOME/share"), 0) << err;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
