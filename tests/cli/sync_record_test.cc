// What this home has noted of a stream, its own or another machine's, is damaged or lost here: sync notices it.
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncRecord : TwoMachines {
  const std::string other = "dddddddd-0000-4000-8000-000000000002";

  void SetUp() override {
    TwoMachines::SetUp();
    put(home + "/a/.claude/projects/-thing/" + other + ".jsonl",
        R"({"type":"user","uuid":"w1","parentUuid":null,"sessionId":")" + other + R"(","cwd":")" + home +
            R"(/a/src/thing","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"SECRET beta"}})" +
            "\n");
    share_from_a();
    ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_TRUE(is_there("SECRET"));
  }
  std::string remote_of(const std::string& which) const {
    return home + "/" + which + "/.local/share/holdfast/sync/remotes/nas";
  }
  static std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // The line of the other session.
  static void damage_line(const std::string& path) {
    std::string log = read(path);
    const std::size_t at = log.find("SECRET beta");
    ASSERT_NE(at, std::string::npos);
    log[at + 8] = 'x';
    put(path, log);
  }
  static void remove_line(const std::string& path) {
    std::string log = read(path);
    const std::size_t at = log.find("SECRET beta");
    ASSERT_NE(at, std::string::npos);
    const std::size_t start = log.rfind('\n', at) == std::string::npos ? 0 : log.rfind('\n', at) + 1;
    log.erase(start, log.find('\n', at) + 1 - start);
    put(path, log);
  }
  std::string own_log() const { return remote_of("a") + "/published/1/log.jsonl"; }
  // `withdraw` on a; afterwards nothing of it is left, and the rest is still there.
  void is_withdrawn_by(const std::string& withdraw) {
    ASSERT_EQ(on("a", withdraw), 0) << out << err;
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    EXPECT_TRUE(err.contains("record of what it published there is damaged or was removed; epoch 2 follows epoch 1"))
        << err;
    EXPECT_FALSE(is_there("SECRET"));
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    EXPECT_EQ(err, "");
    EXPECT_EQ(on("a", "remote check nas"), 0) << out << err;
  }
  void is_forgotten() {
    is_withdrawn_by("forget dddddddd --yes");
    EXPECT_TRUE(is_there("please list the files"));
    EXPECT_EQ(on("b", "sync --fetch all"), 0) << err;
    EXPECT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  }
  std::string log_from_a() const { return fs::directory_iterator(remote_of("b") + "/from")->path() / "log.jsonl"; }
  // b has both sessions again after one sync, which says so once.
  void is_read_again() {
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << out << err;
    const std::size_t said = err.find("is read again from its beginning");
    EXPECT_NE(said, std::string::npos) << err;
    EXPECT_EQ(err.find("is read again from its beginning", said + 1), std::string::npos) << err;
    EXPECT_EQ(on("b", "show dddddddd --machine laptop"), 0) << err;
    EXPECT_TRUE(out.contains("SECRET beta")) << out;
    EXPECT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
    EXPECT_TRUE(out.contains("and now count them")) << out;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << out << err;
    EXPECT_EQ(err, "");
    EXPECT_TRUE(out.contains("received 0 sessions")) << out;
  }
};

TEST_F(SyncRecord, ForgettingWithDamagedLineErases) {
  damage_line(own_log());
  is_forgotten();
}

TEST_F(SyncRecord, ForgettingWithMissingLineErases) {
  remove_line(own_log());
  is_forgotten();
}

TEST_F(SyncRecord, ForgettingWithEmptiedLogErases) {
  put(own_log(), "");
  is_forgotten();
}

TEST_F(SyncRecord, UnsharingWithMissingLineErases) {
  remove_line(own_log());
  is_withdrawn_by("remote unshare src/thing --with nas");
  EXPECT_FALSE(is_there("please list the files"));
}

TEST_F(SyncRecord, TextForgottenAfterTheRecordWasRemovedIsErased) {
  fs::remove_all(remote_of("a") + "/published");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("damaged or was removed; epoch 2 follows epoch 1")) << err;
  ASSERT_EQ(on("a", "forget --match SECRET --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_FALSE(is_there("SECRET"));
  EXPECT_TRUE(is_there("please list the files"));
}

// The record of an epoch that this home has left is read again without a word: nothing is published for it.
TEST_F(SyncRecord, ForgettingWithDamagedRecordOfAnEarlierEpochErases) {
  fs::remove_all(remote_of("a") + "/published");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  const std::string left = remote_of("a") + "/left/1/published/1/log.jsonl";
  remove_line(left);
  ASSERT_EQ(on("a", "forget dddddddd --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_FALSE(is_there("SECRET"));
}

TEST_F(SyncRecord, WholeRecordIsNotDoubted) {
  record({"please list the files", "and now count them", "and a third"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "forget --match third --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "forget dddddddd --yes"), 0) << err;
  for (const char* which : {"a", "b", "a", "b"}) {
    ASSERT_EQ(on(which, "sync --fetch all"), 0) << err;
    EXPECT_FALSE(err.contains("removed here") || err.contains("epoch")) << err;
  }
}

TEST_F(SyncRecord, DamagedLineOfReceivedSessionIsReadAgain) {
  damage_line(log_from_a());
  is_read_again();
}

TEST_F(SyncRecord, MissingLineOfReceivedSessionIsReadAgain) {
  remove_line(log_from_a());
  is_read_again();
}

TEST_F(SyncRecord, EmptiedLogOfReceivedSessionsIsReadAgain) {
  put(log_from_a(), "");
  is_read_again();
}

TEST_F(SyncRecord, RemovedLogOfReceivedSessionsIsReadAgain) {
  fs::remove(log_from_a());
  is_read_again();
}

TEST_F(SyncRecord, RemovedFolderOfReceivedSessionsIsReadAgain) {
  fs::remove_all(remote_of("b") + "/from");
  is_read_again();
}

// A line in the middle: what is built on it is read again, too.
TEST_F(SyncRecord, MissingLineBetweenStatesIsReadAgain) {
  record({"please list the files", "and now count them", "a third"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  record({"please list the files", "and now count them", "a third", "a fourth"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  std::string log = read(log_from_a());
  const std::size_t last = log.rfind('\n', log.size() - 2) + 1;
  const std::size_t before = log.rfind('\n', last - 2) + 1;
  log.erase(before, last - before);
  put(log_from_a(), log);
  is_read_again();
  EXPECT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("a third") && out.contains("a fourth")) << out;
}

// What its machine withdrew meanwhile stays on a machine that is not paired, as it is not at the remote any more.
TEST_F(SyncRecord, WithdrawnSessionStaysWhenTheRestIsReadAgain) {
  ASSERT_EQ(on("a", "forget cccccccc --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  remove_line(log_from_a());
  is_read_again();
}

TEST_F(SyncRecord, ForgettingHereWhatAnotherMachineSentIsNoDamage) {
  ASSERT_EQ(on("b", "forget --match SECRET --yes"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
