#include "sync/directory_remote.h"

#include <filesystem>
#include <fstream>

#include "crash/disk/sim_testing.h"
#include "disk/real_testing.h"
#include "sync/remote_conformance_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct InDirectory : RemoteUnderTest {
  TemporaryDirectory scratch;
  std::unique_ptr<Remote> connect() override {
    auto remote = open_directory_remote(real_file_system(), scratch.path());
    EXPECT_TRUE(remote) << remote.error().text();
    return remote ? std::move(*remote) : nullptr;
  }
};

INSTANTIATE_TEST_SUITE_P(Directory, RemoteConformance, testing::Values([]() -> std::unique_ptr<RemoteUnderTest> {
                           return std::make_unique<InDirectory>();
                         }));

// What a program that copies directories leaves halfway.
TEST(DirectoryRemote, PartialCopiesAreIgnored) {
  TemporaryDirectory scratch;
  const auto remote = *open_directory_remote(real_file_system(), scratch.path());
  const StreamId stream{std::string(32, 'a'), 1};
  StreamHead head;
  for (std::uint64_t seq = 1; seq <= 3; ++seq) {
    const std::string header = "h" + std::to_string(seq) + "\ns\n";
    const StreamHead next{seq, sha256_hex("h" + std::to_string(seq))};
    const StreamSegment one[] = {{seq, next.hash, header, "body"}};
    ASSERT_EQ(remote->publish({}, stream, head, one).value(), RemoteOutcome::done);
    head = next;
  }
  const std::string folder = scratch.path("streams/" + stream.device + "/1/");
  fs::rename(folder + "0000000002.seg", folder + "0000000002.seg.part");
  std::ofstream(folder + ".syncthing.0000000002.seg.tmp") << "h2\n";
  std::ofstream(folder + "0000000001.sync-conflict-20261116-120000-ABCDEFG.seg") << "other\n";
  fs::create_directories(scratch.path("streams/no-device/1"));
  fs::create_directories(scratch.path("streams/" + stream.device + "/01"));
  ASSERT_EQ(remote->heads({})->size(), 1u);
  EXPECT_EQ(remote->heads({})->at(0).head.seq, 1u);
  EXPECT_EQ(remote->read_after({}, stream, 0)->size(), 1u);
  std::ofstream(folder + "0000000002.seg") << "h2";
  EXPECT_EQ(remote->read_after({}, stream, 0)->size(), 1u) << "half a header";
  fs::rename(folder + "0000000002.seg.part", folder + "0000000002.seg");
  EXPECT_EQ(remote->heads({})->at(0).head, head);
  EXPECT_EQ(remote->read_after({}, stream, 0)->size(), 3u);
}

// What is confirmed as erased does not come back after a power loss.
TEST(DirectoryRemote, ErasingIsDurable) {
  SimFileSystem disk;
  must(disk.open_directory("/share", true));
  const auto remote = must(open_directory_remote(disk, "/share"));
  const StreamId stream{std::string(32, 'a'), 1};
  const StreamSegment segment[] = {{1, sha256_hex("h1"), "h1\ns\n", "body of it"}};
  ASSERT_EQ(must(remote->publish({}, stream, {}, segment)), RemoteOutcome::done);
  const std::vector<std::string> names{std::string(64, '1'), std::string(64, '2')};
  const std::vector<RemoteChunk> chunks{{names[0], "words"}, {names[1], "words"}};
  ASSERT_EQ(must(remote->store_chunks({}, stream.device, chunks)), RemoteOutcome::done);
  const auto comes_back = [&](const std::string& text) {
    for (const CrashModel model : kAllModels)
      for (const std::string& state : outcomes(disk, model))
        if (state.contains(text)) return true;
    return false;
  };
  ASSERT_TRUE(comes_back("words") && comes_back("body of it"));
  ASSERT_EQ(must(remote->erase_chunks({}, stream.device, names)), RemoteOutcome::done);
  EXPECT_FALSE(comes_back("words"));
  const std::uint64_t seqs[] = {1};
  ASSERT_EQ(must(remote->erase_bodies({}, stream, seqs)), RemoteOutcome::done);
  EXPECT_FALSE(comes_back("body of it"));
  EXPECT_TRUE(comes_back("h1"));
  ASSERT_EQ(must(remote->erase_device({}, stream.device)), RemoteOutcome::done);
  EXPECT_FALSE(comes_back("h1"));
}

TEST(DirectoryRemote, SymlinksAreNotFollowed) {
  TemporaryDirectory scratch, elsewhere;
  const auto remote = *open_directory_remote(real_file_system(), scratch.path());
  const std::string device(32, 'a'), name(64, '1');
  fs::create_directories(scratch.path("chunks/" + device + "/11"));
  std::ofstream(elsewhere.path("private")) << "private";
  fs::create_symlink(elsewhere.path("private"), scratch.path("chunks/" + device + "/11/" + name));
  const std::vector<std::string> names{name};
  EXPECT_EQ(remote->read_chunks({}, device, names)->at(0), std::nullopt);
}

TEST(DirectoryRemote, MissingDirectoryIsTransportFailure) {
  const auto remote = open_directory_remote(real_file_system(), "/nowhere/at/all");
  ASSERT_FALSE(remote);
  EXPECT_EQ(remote.error().code, Code::sync_transport_failed);
}

}  // namespace
}  // namespace holdfast::inline v1
