// A directory as a remote, as people have them: owned by others, for a whole team, and with leftovers of a killed sync.
#include <sys/stat.h>

#include "tests/cli/ordinary_user_testing.h"
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncDirectory : TwoMachines {
  std::string device;  // the id of a

  void add_a() {
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop --json"), 0) << err;
    device = field({"device"});
    ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
  }
  std::size_t temporaries() const {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/share"))
      count += entry.path().filename().string().starts_with(".tmp-") ? 1 : 0;
    return count;
  }
  static int mode_of(const fs::path& path) { return static_cast<int>(fs::status(path).permissions()) & 07777; }
};

TEST_F(SyncDirectory, NextSyncRemovesOwnLeftovers) {
  add_a();
  // The chunks are there, the segment is not: as after a kill in between.
  const std::string streams = home + "/share/streams/" + device;
  for (int epoch = 1; epoch < 10; ++epoch)
    fs::create_directories(streams + "/" + std::to_string(epoch) + "/0000000001.seg");
  ASSERT_EQ(on("a", "sync"), 7) << out;
  EXPECT_TRUE(out.contains("failed: this is not a segment") && out.contains(streams + "/9/0000000001.seg") &&
              out.contains("continues next to it"))
      << out;
  EXPECT_TRUE(err.contains("epoch 9 follows epoch 8")) << "findings are reported too: " << err;
  fs::remove_all(streams);
  const std::string mine = home + "/share/chunks/" + device + "/59/.tmp-c3yjjkvfzcvxc";
  const std::string others = home + "/share/chunks/" + std::string(32, 'd') + "/59/.tmp-c3yjjkvfzcvxc";
  put(mine, secret);
  put(others, "of a device that writes now");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  EXPECT_FALSE(fs::exists(mine));
  EXPECT_TRUE(fs::exists(others));
  // The same when something is erased.
  put(mine, secret);
  ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_EQ(temporaries(), 1u);
  EXPECT_TRUE(fs::exists(others));
}

// What was received is reported only once, so a failure must not hide it.
TEST_F(SyncDirectory, ReportsWhatItReceivedBeforeItFailed) {
  add_a();
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower --json"), 0) << err;
  const std::string streams = home + "/share/streams/" + field({"device"});
  for (int epoch = 1; epoch < 10; ++epoch)
    fs::create_directories(streams + "/" + std::to_string(epoch) + "/0000000001.seg");
  put(home + "/b/.claude/projects/-copy/dddddddd-0000-4000-8000-000000000002.jsonl",
      R"({"type":"user","uuid":"n0","parentUuid":null,"sessionId":"s","cwd":")" + home +
          R"(/b/src/copy","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"on b"}})" + "\n");
  ASSERT_EQ(on("b", "remote share src/copy --with nas"), 0) << err;
  EXPECT_EQ(on("b", "sync"), 7) << out << err;
  EXPECT_TRUE(out.contains("received 1 session\n") && out.contains("new here: laptop") && out.contains("failed: "))
      << out << err;
  fs::remove_all(streams);
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 1 session (") && out.contains("received 0 sessions")) << out;
}

// A program that copies files may copy the streams before the charter.
TEST_F(SyncDirectory, RejectsDirectoryWithStreamsButNoCharter) {
  share_from_a("--encrypt");
  fs::create_directories(home + "/copy");
  fs::copy(home + "/share/streams", home + "/copy/streams", fs::copy_options::recursive);
  for (const char* const how : {"", " --dry-run", " --encrypt"}) {
    EXPECT_EQ(on("b", "remote add nas dir:" + home + "/copy --as tower" + how), 7) << out;
    EXPECT_TRUE(err.contains("machines have published here, but holdfast-remote.json")) << err;
    EXPECT_FALSE(fs::exists(home + "/copy/holdfast-remote.json"));
  }
  fs::copy(home + "/share/holdfast-remote.json", home + "/copy/holdfast-remote.json");
  EXPECT_NE(on("b", "remote add nas dir:" + home + "/copy --as tower"), 0) << out;
  EXPECT_TRUE(err.contains("this remote is encrypted: add it with --recover -")) << err;
}

TEST_F(SyncDirectory, ReplacedRemoteIsARemoteFailure) {
  share_from_a();
  fs::create_directories(home + "/other");
  ASSERT_EQ(on("b", "remote add other dir:" + home + "/other --as tower"), 0) << err;
  fs::copy_file(home + "/other/holdfast-remote.json", home + "/share/holdfast-remote.json",
                fs::copy_options::overwrite_existing);
  for (const char* const command : {"sync", "sync nas", "remote check nas"}) {
    EXPECT_EQ(on("a", command), 7) << command << out;
    EXPECT_TRUE(err.contains("the remote there is not the same as when nas was added")) << err;
  }
}

TEST_F(SyncDirectory, FileModesFollowTheDirectory) {
  fs::permissions(home + "/share", fs::perms(0777));
  share_from_a();
  for (const auto& entry : fs::recursive_directory_iterator(home + "/share")) {
    const bool top = entry.path().parent_path() == home + "/share";
    EXPECT_EQ(mode_of(entry), entry.is_directory() ? (top ? 0777 : 0755) : 0644) << entry.path();
  }
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_TRUE(out.contains("received 1 session")) << out;
  // In a directory of one person everything is as private as before, even if others may list it.
  fs::create_directory(home + "/own");
  fs::permissions(home + "/own", fs::perms(0755));
  ASSERT_EQ(on("b", "remote add own dir:" + home + "/own"), 0) << err;
  EXPECT_EQ(mode_of(home + "/own/holdfast-remote.json"), 0600);
}

// Somebody who may read the directory, and not write to it.
struct SyncReadOnly : SyncDirectory {
  void SetUp() override {
    SyncDirectory::SetUp();
    if (::geteuid() != 0) return;
    fs::permissions(home, fs::perms(0755));
    give_b_away();
  }
  void give_b_away() { ASSERT_EQ(sh("HOME=$HOME/b && " + give_home()), 0) << err; }
  void TearDown() override {
    sh("chmod -R u+w $HOME/share");
    SyncDirectory::TearDown();
  }
  void publish_from_a(const std::vector<std::string>& prompts) {
    ASSERT_EQ(sh("chmod -R u+w $HOME/share"), 0) << err;
    record(prompts);
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_EQ(sh("chmod -R a+rX,a-w $HOME/share"), 0) << err;
  }
  int reader(const std::string& line) { return sh("cd $HOME/b && env HOME=$HOME/b " + ordinary_holdfast() + line); }
  bool has_written() const {
    return std::distance(fs::directory_iterator(home + "/share/streams"), fs::directory_iterator()) > 1;
  }
};

TEST_F(SyncReadOnly, ReceivesWithoutCreatingAnything) {
  share_from_a();
  publish_from_a({"please list the files", "and now count them"});
  ASSERT_EQ(reader("remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(reader("sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("received 1 session\n") && out.contains("new here: laptop"))
      << "one, of two states: " << out;
  publish_from_a({"please list the files", "and now count them", "one more thing"});
  ASSERT_EQ(reader("sync --fetch all"), 0) << out << err;
  EXPECT_EQ(err, "");
  ASSERT_EQ(reader("show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("one more thing")) << out;
  EXPECT_FALSE(has_written());
  ASSERT_EQ(reader("sync status"), 0) << err;
  EXPECT_FALSE(out.contains("interrupted")) << out;
}

TEST_F(SyncReadOnly, ReceivesBeforeReportingThatItCannotPublish) {
  share_from_a();
  publish_from_a({"please list the files", "and now count them"});
  put(home + "/b/.claude/projects/-copy/dddddddd-0000-4000-8000-000000000002.jsonl",
      R"({"type":"user","uuid":"n0","parentUuid":null,"sessionId":"s","cwd":")" + home +
          R"(/b/src/copy","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"on b"}})" + "\n");
  give_b_away();
  ASSERT_EQ(reader("remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(reader("remote share src/copy --with nas"), 0) << err;
  const std::string refused = "the remote is read-only for this machine; what it shares or withdraws there waits";
  EXPECT_EQ(reader("sync --fetch all"), 7) << out << err;
  const std::size_t received = out.find("received 1 session, fetched 1"), failed = out.find("failed: " + refused);
  EXPECT_TRUE(received != out.npos && failed != out.npos && received < failed) << out << err;
  EXPECT_TRUE(out.contains("new here: laptop") && !out.contains("sent")) << out;
  ASSERT_EQ(reader("show cccccccc --machine laptop"), 0) << err;
  // There is nothing to report but the failure.
  EXPECT_EQ(reader("sync"), 7) << out;
  EXPECT_TRUE(err.contains(refused)) << err;
  EXPECT_FALSE(has_written());
  // Neither decision leaves anything behind: not to share it, and to let the machine write.
  ASSERT_EQ(reader("remote unshare src/copy --with nas"), 0) << err;
  EXPECT_EQ(reader("sync"), 0) << out << err;
  ASSERT_EQ(reader("remote share src/copy --with nas"), 0) << err;
  EXPECT_EQ(reader("sync"), 7) << out;
  ASSERT_EQ(sh("chmod -R a+w $HOME/share"), 0) << err;
  ASSERT_EQ(reader("sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  // What was published cannot be withdrawn where it cannot be erased.
  ASSERT_EQ(sh("chmod -R a-w $HOME/share"), 0) << err;
  ASSERT_EQ(reader("remote unshare src/copy --with nas"), 0) << err;
  EXPECT_EQ(reader("sync"), 7) << out;
  EXPECT_TRUE(err.contains(refused)) << err;
  ASSERT_EQ(sh("chmod -R a+w $HOME/share"), 0) << err;
  ASSERT_EQ(reader("sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("withdrew 1")) << out;
}

// Whom a machine has revoked can wait until it may write: it neither shares nor withdraws anything.
TEST_F(SyncReadOnly, RevokingIsNothingToPublish) {
  share_from_a();
  publish_from_a({"please list the files", "and now count them"});
  ASSERT_EQ(reader("remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(reader("sync"), 0) << out << err;
  ASSERT_EQ(reader("remote revoke nas laptop"), 0) << err;
  EXPECT_EQ(reader("sync"), 0) << out << err;
  EXPECT_FALSE(has_written());
}

TEST_F(SyncReadOnly, RemoteIsNotCreatedThere) {
  ASSERT_EQ(sh("chmod a+rX,a-w $HOME/share"), 0) << err;
  EXPECT_EQ(reader("remote add nas dir:" + home + "/share --as tower"), 7) << out;
  EXPECT_TRUE(err.contains("this machine may not create one: the directory is read-only for it")) << err;
  EXPECT_FALSE(err.contains(".tmp-")) << err;
}

// Root may write anywhere, so this needs another user to be meaningful.
TEST_F(SyncDirectory, AnotherUsersWritableDirectoryIsAccepted) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to be somebody else";
  fs::permissions(home, fs::perms(0755));
  ASSERT_EQ(sh("HOME=$HOME/a && " + give_home()), 0) << err;
  for (const auto& [mode, made] : {std::pair(0777, true), std::pair(01777, true), std::pair(0755, false)}) {
    const std::string name = "share" + std::to_string(mode);
    fs::create_directory(home + "/" + name);
    fs::permissions(home + "/" + name, fs::perms(mode));
    const int code = sh("cd $HOME/a && env HOME=$HOME/a " + ordinary_holdfast() + "remote add nas" +
                        std::to_string(mode) + " dir:" + home + "/" + name);
    EXPECT_EQ(code, made ? 0 : 7) << mode << err;
    EXPECT_FALSE(err.contains("not there")) << err;
  }
}

// In a shared folder with the sticky bit nobody may rename what belongs to somebody else.
TEST_F(SyncDirectory, StickyBitIsCarriedToFoldersOfAll) {
  fs::permissions(home + "/share", fs::perms(01777));
  share_from_a();
  for (const char* const folder : {"streams", "chunks"})
    EXPECT_EQ(fs::status(home + "/share/" + folder).permissions(), fs::perms(01777)) << folder;
}

}  // namespace
}  // namespace holdfast::inline v1
