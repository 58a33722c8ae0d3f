// Damage at the remote: its writer notices, and publishes again; a reader reports which file it was.
#include <algorithm>

#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncDamage : TwoMachines {
  std::vector<fs::path> files(const std::string& below) const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/share/" + below))
      if (entry.is_regular_file()) all.push_back(entry.path());
    std::ranges::sort(all);
    return all;
  }
  static void flip(const fs::path& path, std::uint64_t at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char byte = static_cast<char>(file.get());
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(byte ^ 1));
  }
  std::string device;  // the id of a
  void join_b() {
    device = fs::directory_iterator(home + "/share/streams")->path().filename();
    add_b();
  }
  void add_b() { ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err; }
  // Expects that the damage is noticed once, that the next sync repairs it, and that b has everything without a
  // warning.
  void is_mended(const fs::path& damaged) {
    EXPECT_EQ(on("a", "remote check nas"), 4) << out;
    EXPECT_TRUE((out + err).contains(damaged.string())) << out << err;
    EXPECT_TRUE(out.contains("holdfast sync nas")) << out;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_EQ(on("a", "remote check nas"), 0) << out << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    EXPECT_EQ(err, "");
    ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
    EXPECT_TRUE(out.contains("please list the files") && out.contains("and now count them")) << out;
    ASSERT_EQ(on("a", "sync --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("segments":0,"chunks":0)") && !out.contains("repaired")) << out;
  }
};

TEST_F(SyncDamage, SegmentWithFlippedBitIsRepublished) {
  share_from_a();
  EXPECT_EQ(on("a", "remote check nas"), 0) << out << err;
  const auto segments = files("streams");
  ASSERT_EQ(segments.size(), 1u);
  flip(segments[0], fs::file_size(segments[0]) - 20);
  join_b();
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_TRUE(err.contains(segments[0].string())) << err;
  EXPECT_FALSE(err.contains(", byte ")) << err;
  is_mended(segments[0]);
}

// The writer has nothing to repair, and is not asked to.
TEST_F(SyncDamage, SegmentOfNewerVersionIsReadAfterUpdate) {
  share_from_a();
  join_b();
  const fs::path segment = files("streams").at(0);
  const auto claim = [&](char format) {
    std::fstream file(segment, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(std::string_view(R"({"holdfast_segment":)").size()));
    file.put(format);
  };
  claim('9');
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("was written by a newer Holdfast; nothing after it is read until Holdfast is updated here"))
      << err;
  EXPECT_TRUE(out.contains("received 0 sessions")) << out;
  claim('1');
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_TRUE(out.contains("received 1 session")) << out;
  EXPECT_FALSE(fs::exists(home + "/b/.local/share/holdfast/sync/remotes/nas/complaints.json"));
}

// Nobody has to check: a device that cannot read a file tells its writer, which checks it and publishes again.
TEST_F(SyncDamage, ReaderReportsDamageToTheWriter) {
  share_from_a();
  join_b();
  flip(files("streams")[0], fs::file_size(files("streams")[0]) - 20);
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("repaired damage on the remote: 1 segment")) << out << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_TRUE(out.contains("received 1 session")) << out;
  EXPECT_EQ(on("a", "remote check nas"), 0) << out << err;
}

// What follows a segment without a header shows that it is not just on its way.
TEST_F(SyncDamage, ReaderReportsACutSegmentBetweenOthers) {
  share_from_a();
  record({"please list the files", "and now count them", "one more thing"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  record({"please list the files", "and now count them", "one more thing", "the last thing"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  const auto segments = files("streams");
  ASSERT_EQ(segments.size(), 3u);
  join_b();
  for (const std::uintmax_t size : {100U, 0U}) {
    fs::resize_file(segments[1], size);
    ASSERT_EQ(on("b", "sync"), 0) << err;
    EXPECT_TRUE(err.contains(segments[1].string())) << err;
    EXPECT_TRUE(err.contains("a segment has no whole header; nothing after it is read from laptop until")) << err;
  }
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("what this device published is damaged at the remote")) << err;
  EXPECT_EQ(on("a", "remote check nas"), 0) << out << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_EQ(err, "") << "what is repaired is not reported once more";
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_EQ(err, "");
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("the last thing")) << out;
}

// The last segment may be on its way, and its writer sees what became of it.
TEST_F(SyncDamage, CutSegmentAtTheEndIsNoticedByItsWriter) {
  share_from_a();
  record({"please list the files", "and now count them", "one more thing"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  const auto segments = files("streams");
  ASSERT_EQ(segments.size(), 2u);
  fs::resize_file(segments[1], 0);
  join_b();
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_EQ(err, "");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("one more thing")) << out;
}

// What a person forgets reaches a paired machine although it has read an epoch in which nothing more can be said.
struct SyncForgetEarlier : SyncDamage {
  void SetUp() override {
    SyncDamage::SetUp();
    share_from_a();
    join_b();
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    ASSERT_EQ(on("b", "remote trust nas laptop"), 0) << err;
    for (const char* const n : {"2", "3"}) {
      std::string other = id;
      other.back() = *n;
      put(home + "/a/.claude/projects/-thing/" + other + ".jsonl",
          R"({"type":"user","uuid":"v)" + std::string(n) + R"(","parentUuid":null,"sessionId":")" + other +
              R"(","cwd":")" + home +
              R"(/a/src/thing","timestamp":"2026-01-02T00:00:00Z","message":{"role":"user","content":"session )" + n +
              "\"}}\n");
      ASSERT_EQ(on("a", "sync"), 0) << err;
    }
  }
  // Cuts the second of three segments.
  std::string cut() const {
    const std::string path = home + "/share/streams/" + device + "/1/0000000002.seg";
    fs::resize_file(path, 0);
    return path;
  }
  void add_a_again() {
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
  }
  void is_forgotten_by_b() {
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    EXPECT_EQ(on("b", "search \"list the files\" --machine all"), 1) << out;
    ASSERT_EQ(on("b", "ls --machine laptop"), 0) << err;
    EXPECT_TRUE(out.contains("session 2") && out.contains("session 3")) << out;
    // It is said once.
    ASSERT_EQ(on("a", "sync --json"), 0) << err;
    ASSERT_EQ(on("a", "sync --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("segments":0,"chunks":0)")) << out;
  }
};

TEST_F(SyncForgetEarlier, BehindACutSegment) {
  const std::string path = cut();
  ASSERT_EQ(on("a", "forget " + id + " --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_TRUE(err.contains(path)) << err;
  ASSERT_EQ(on("b", "search \"list the files\" --machine all"), 0) << out << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("epoch 2 follows epoch 1")) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("1 no longer shared")) << out;
  is_forgotten_by_b();
}

TEST_F(SyncForgetEarlier, LinesBehindACutSegment) {
  cut();
  ASSERT_EQ(on("a", "forget --match \"list the files\" --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  is_forgotten_by_b();
  ASSERT_EQ(on("b", "search \"count them\" --machine all"), 0) << "only these lines" << err;
}

TEST_F(SyncForgetEarlier, AfterTheRepair) {
  cut();
  for (const char* const which : {"b", "a", "b"}) ASSERT_EQ(on(which, "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("a", "forget " + id + " --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  is_forgotten_by_b();
}

TEST_F(SyncForgetEarlier, BeforeEverythingIsErasedAndPublishedAgain) {
  ASSERT_EQ(on("a", "forget " + id + " --yes"), 0) << err;
  ASSERT_EQ(on("a", "remote remove nas --erase --yes"), 0) << err;
  add_a_again();
  ASSERT_EQ(on("a", "sync"), 0) << err;
  is_forgotten_by_b();
}

TEST_F(SyncForgetEarlier, AfterEverythingIsErasedAndPublishedAgain) {
  ASSERT_EQ(on("a", "remote remove nas --erase --yes"), 0) << err;
  add_a_again();
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("a", "forget " + id + " --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  is_forgotten_by_b();
}

// A machine that is not paired keeps what it has read.
TEST_F(SyncForgetEarlier, NotByOthers) {
  fs::create_directories(home + "/c");
  ASSERT_EQ(on("c", "remote add nas dir:" + home + "/share --as third"), 0) << err;
  ASSERT_EQ(on("c", "sync --fetch all"), 0) << err;
  cut();
  ASSERT_EQ(on("a", "forget " + id + " --yes"), 0) << err;
  for (const char* const which : {"a", "b", "a", "c"}) ASSERT_EQ(on(which, "sync"), 0) << err;
  is_forgotten_by_b();
  ASSERT_EQ(on("c", "search \"list the files\" --machine all"), 0) << out << err;
}

// The home was copied: what the copy shares in an epoch of its own stays.
TEST_F(SyncForgetEarlier, NotInTheEpochOfACopiedHome) {
  ASSERT_EQ(sh("cp -a $HOME/a $HOME/c"), 0) << err;
  record({"please list the files", "and now count them", "one more thing"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("c", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("epoch 2 follows epoch 1")) << err;
  cut();
  ASSERT_EQ(on("a", "forget " + id + " --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("epoch 3 follows epoch 1")) << "it hears of the damage from b: " << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "search \"list the files\" --machine all"), 0) << out << err;
  EXPECT_EQ(on("b", "search \"one more thing\" --machine all"), 1) << "this was only in the first home: " << out;
}

// More chunks than are asked for at once.
TEST_F(SyncDamage, EveryEmptyChunkOfLongSessionIsNamed) {
  std::vector<std::string> prompts = {"please list the files"};
  share_from_a();
  for (int n = 0; n < 18; ++n) {
    record(prompts);
    prompts.push_back("prompt number " + std::to_string(n));
    ASSERT_EQ(on("a", "sync"), 0) << err;
  }
  const auto chunks = files("chunks");
  ASSERT_GT(chunks.size(), 16u);
  for (const fs::path& chunk : chunks) fs::resize_file(chunk, 0);
  join_b();
  ASSERT_EQ(on("b", "sync --fetch all --json"), 0) << out << err;
  std::size_t named = 0;
  for (const fs::path& chunk : chunks) named += out.contains(chunk.filename().string()) ? 1 : 0;
  EXPECT_GT(named, 16u) << out;
}

// The same where only the devices can read anything.
TEST_F(SyncDamage, EncryptedRemoteIsRepaired) {
  share_from_a("--encrypt");
  const auto segments = files("streams"), chunks = files("chunks");
  ASSERT_EQ(segments.size(), 1u);
  flip(segments[0], fs::file_size(segments[0]) - 20);
  flip(chunks[0], fs::file_size(chunks[0]) - 3);
  ASSERT_EQ(sh("cd $HOME/b && echo " + phrase + " | env HOME=$HOME/b $H remote add nas dir:" + home +
               "/share --as tower --recover -"),
            0)
      << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_TRUE(err.contains(segments[0].string())) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("1 segment, 1 chunk")) << out;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("please list the files")) << out;
}

TEST_F(SyncDamage, WithdrawalInDamagedSegmentIsRepublished) {
  share_from_a();
  join_b();
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  const auto segments = files("streams/" + device);
  fs::path newest;
  for (const fs::path& one : segments)
    if (one.extension() == ".seg") newest = one;
  ASSERT_FALSE(newest.empty());
  flip(newest, fs::file_size(newest) - 20);
  ASSERT_EQ(on("a", "remote check nas"), 4) << out;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_EQ(on("a", "remote check nas"), 0) << out << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("1 no longer shared")) << out << err;
  EXPECT_EQ(on("b", "ls --machine laptop"), 1) << out;
}

TEST_F(SyncDamage, HeaderWithFlippedBitIsRepaired) {
  share_from_a();
  join_b();
  ASSERT_EQ(on("b", "sync"), 0) << err;
  record({"please list the files", "and now count them", "one more thing"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  const auto segments = files("streams/" + device);
  ASSERT_EQ(segments.size(), 2u);
  flip(segments[0], 40);
  is_mended(segments[0]);
}

// What is left of an erased segment is a file of another name, and as necessary for what follows it.
TEST_F(SyncDamage, CheckNamesADamagedStub) {
  share_from_a();
  join_b();
  ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_EQ(on("a", "remote check nas"), 0) << out << err;
  const fs::path stub = home + "/share/streams/" + device + "/1/0000000001.stub";
  ASSERT_TRUE(fs::exists(stub));
  fs::copy(stub, home + "/stub");
  const std::string after = home + "/share/streams/" + device + "/1/0000000002.seg";
  const std::vector<std::string> damages{"truncate -s 10 ", "truncate -s 0 ", "cp " + after + " ", "flip"};
  for (const std::string& damage : damages) {
    SCOPED_TRACE(damage);
    if (damage == "flip")
      flip(stub, 40);
    else
      ASSERT_EQ(sh(damage + stub.string()), 0) << err;
    EXPECT_EQ(on("a", "remote check nas"), 4) << out;
    EXPECT_TRUE(err.contains(stub.string()) && err.contains("nobody can read what follows it")) << err;
    EXPECT_FALSE((out + err).contains("0000000001.seg") || (out + err).contains("the remote has")) << out << err;
    ASSERT_EQ(on("b", "sync"), 0) << err;
    EXPECT_TRUE(err.contains(stub.string()) && err.contains("nothing after it is read from " + device)) << err;
    fs::copy(home + "/stub", stub, fs::copy_options::overwrite_existing);
  }
  EXPECT_EQ(on("a", "remote check nas"), 0) << out << err;
  fs::resize_file(stub, 10);
  EXPECT_EQ(on("a", "remote check nas"), 4) << out;
  ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
  is_mended(stub);
}

// Whatever has the name of the next segment is reported and left as it is, and the device continues.
TEST_F(SyncDamage, ForeignFileWithNextSegmentNameIsSkipped) {
  share_from_a();
  join_b();
  ASSERT_EQ(on("b", "sync"), 0) << err;
  std::vector<std::string> prompts{"please list the files", "and now count them"};
  int epoch = 0;
  for (const char* const make : {": >", "echo text >", "mkdir", "ln -s nowhere", "mkfifo"}) {
    SCOPED_TRACE(make);
    const std::string folder = home + "/share/streams/" + device + "/" + std::to_string(++epoch) + "/";
    std::uint64_t next = 1;
    for (const auto& entry : fs::directory_iterator(folder)) next += entry.exists() ? 1 : 0;
    const std::string foreign = folder + "000000000" + std::to_string(next) + ".seg";
    ASSERT_EQ(sh(std::string(make) + " " + foreign), 0) << err;
    EXPECT_EQ(on("a", "remote check nas"), 4) << out;
    EXPECT_TRUE((out + err).contains(foreign)) << out << err;
    prompts.push_back("one more after " + std::string(make));
    record(prompts);
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    EXPECT_TRUE(err.contains(foreign + " is not a segment, and is left as it is")) << err;
    EXPECT_EQ(on("a", "remote check nas"), 0) << out << err;
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    EXPECT_EQ(err, "");
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
    EXPECT_TRUE(out.contains(prompts.back())) << out;
    EXPECT_NE(fs::symlink_status(foreign).type(), fs::file_type::not_found);
  }
  // What is withdrawn is erased even in epochs that nothing can be appended to.
  ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_TRUE(out.contains("withdrew 1")) << out;
  EXPECT_EQ(files("chunks").size(), 0u);
  EXPECT_FALSE(is_there("please list the files"));
}

// A copy of a segment under another name is nothing that its device could publish again.
TEST_F(SyncDamage, CopiedSegmentIsReportedOnce) {
  share_from_a();
  join_b();
  ASSERT_EQ(on("b", "sync"), 0) << err;
  const std::string streams = home + "/share/streams/" + device;
  fs::create_directories(streams + "/7");
  fs::copy(streams + "/1/0000000001.seg", streams + "/7/0000000001.seg");
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("it is left out, and what laptop publishes beside it is read")) << err;
  EXPECT_FALSE(err.contains("which its next sync does")) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_EQ(err, "");
  fs::remove_all(streams + "/7");
  fs::copy(streams + "/1/0000000001.seg", streams + "/1/0000000002.seg");
  record({"please list the files", "and now count them", "one more thing"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_EQ(err, "") << "there is nothing to withdraw from the epoch before";
  ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_TRUE(out.contains("withdrew 1")) << out;
  EXPECT_EQ(files("chunks").size(), 0u);
}

TEST_F(SyncDamage, DamagedOrMissingChunkIsStoredAgain) {
  for (const bool remove : {false, true}) {
    if (!remove) share_from_a();
    if (remove) record({"please list the files", "and now count them", "one more thing"});
    ASSERT_EQ(on("a", "sync"), 0) << err;
    const auto chunks = files("chunks");
    ASSERT_FALSE(chunks.empty());
    if (remove)
      fs::remove(chunks[0]);
    else
      flip(chunks[0], fs::file_size(chunks[0]) - 3);
    if (!remove) {
      join_b();
      ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
      EXPECT_TRUE(err.contains(chunks[0].string())) << err;
    }
    is_mended(chunks[0]);
  }
}

}  // namespace
}  // namespace holdfast::inline v1
