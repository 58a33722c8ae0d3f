// Compressed data of another device that would grow to gigabytes, in a directory remote: a finding, no more memory than
// for any other sync, and nothing is written.
#include "archive/chunk.h"
#include "base/hash.h"
#include "sync/directory_remote.h"
#include "sync/seal.h"
#include "sync/segment.h"
#include "tests/cli/two_machines_testing.h"
#include "tests/sanitized_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

std::string little(std::uint64_t number, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
  return out;
}

enum class Claim { nothing, little, everything, long_window };

// A zstd frame of 256 kB that unpacks to 8 GiB of zeros: blocks of one repeated byte, 128 KiB each.
std::string bomb_frame(Claim claim) {
  constexpr std::uint64_t kBlocks = 65536, kBlock = 131072;
  std::string frame("\x28\xb5\x2f\xfd", 4);
  const char window = claim == Claim::long_window ? '\xf8' : '\x38';
  switch (claim) {
    case Claim::nothing:
    case Claim::long_window: frame += std::string(1, '\0') + window; break;
    case Claim::little: frame += std::string("\x80") + window + little(100, 4); break;
    case Claim::everything: frame += std::string("\xc0") + window + little(kBlocks * kBlock, 8); break;
  }
  for (std::uint64_t i = 0; i < kBlocks; ++i)
    frame += little((kBlock << 3) | 2U | (i + 1 == kBlocks ? 1U : 0U), 3) + '\0';
  return frame;
}

// A chunk with a valid header that says that the frame has `plain` bytes.
std::string bomb_chunk(std::string_view name, std::uint32_t plain, Claim claim) {
  std::string chunk = pack_chunk(name, "").value().substr(0, kChunkHeaderBytes);
  const std::string frame = bomb_frame(claim);
  chunk.replace(48, 8, little(plain, 4) + little(frame.size(), 4));
  chunk.replace(56, 4, little(crc32c(std::string_view(chunk).substr(8, 48)), 4));
  EXPECT_TRUE(read_chunk_header(chunk)) << "it gets as far as the frame";
  return chunk + frame;
}

struct SyncBombs : TwoMachines {
  // Less than a tenth of what a bomb unpacks to is enough for the whole program. (A sanitizer needs more.)
  int limited(const std::string& line) {
    return sh("cd $HOME/b && " + std::string(kSanitized ? "" : "ulimit -v 700000 && ") + "env HOME=$HOME/b $H " + line);
  }
  // The bytes below the home of b, which has no sessions of its own.
  std::uintmax_t written() const {
    std::uintmax_t all = 0;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/b"))
      if (entry.is_regular_file()) all += entry.file_size();
    return all;
  }
  std::vector<fs::path> chunks() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/share/chunks"))
      if (entry.is_regular_file()) all.push_back(entry.path());
    return all;
  }
};

TEST_F(SyncBombs, BodyOfASegment) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(limited("sync --fetch all"), 0) << "an honest sync needs no more: " << out << err;
  std::ifstream charter(home + "/share/holdfast-remote.json");
  const std::string text{std::istreambuf_iterator<char>(charter), {}};
  const std::string remote = JsonView(text).find("id").as_string().value_or("");
  const auto there = open_directory_remote(real_file_system(), home + "/share");
  ASSERT_TRUE(there) << there.error().text();
  const std::uintmax_t before = written();
  for (const auto& [claim, plain] :
       {std::pair(Claim::nothing, 100u), std::pair(Claim::little, 100u), std::pair(Claim::everything, 100u),
        std::pair(Claim::long_window, 100u), std::pair(Claim::nothing, static_cast<unsigned>(kMaxChunk))}) {
    // A member of its own signs what it publishes, and the hashes are right.
    const SigningKey key = signing_key(random_secret(32));
    const StreamId stream{device_id(key.public_key), 1};
    const std::string body = std::string(16, 's') + bomb_chunk(std::string(64, 'a'), plain, claim);
    const std::string line = R"({"holdfast_segment":1,"remote":")" + remote + R"(","device":")" + stream.device +
                             R"(","key":")" + to_hex(key.public_key) +
                             R"(","epoch":1,"seq":1,"prev":"","at":"2026-01-01T00:00:00Z","body":")" +
                             sha256_hex(body) + R"(","bytes":)" + std::to_string(body.size()) + "}";
    const StreamSegment bomb{1, sha256_hex(line), line + "\n" + to_hex(sign(key, "holdfast segment\n" + line)) + "\n",
                             body};
    ASSERT_TRUE(check_segment(bomb, remote, stream, {}));
    ASSERT_EQ((*there)->publish({}, stream, {}, {&bomb, 1}).value(), RemoteOutcome::done);
    ASSERT_EQ(limited("sync --fetch all"), 0) << out << err;
    EXPECT_TRUE(err.contains(stream.device) && err.contains("chunk " + std::string(64, 'a'))) << out << err;
    EXPECT_LT(written(), before + 100'000);
    fs::remove_all(home + "/share/streams/" + stream.device);
  }
  ASSERT_EQ(on("b", "ls --machine all --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
}

TEST_F(SyncBombs, ChunkOfASession) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(limited("sync"), 0) << out << err;
  const std::uintmax_t before = written();
  ASSERT_FALSE(chunks().empty());
  for (const Claim claim : {Claim::nothing, Claim::little, Claim::everything, Claim::long_window}) {
    for (const fs::path& path : chunks()) {
      std::ifstream file(path, std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      const auto header = read_chunk_header(bytes);
      ASSERT_TRUE(header) << path;
      file.close();
      put(path.string(), bomb_chunk(header->name, header->plain, claim));
    }
    ASSERT_EQ(limited("sync --fetch all"), 0) << out << err;
    EXPECT_TRUE(err.contains("it is discarded until laptop publishes it again")) << out << err;
    EXPECT_NE(limited("show cccccccc --machine laptop"), 0) << out;
    EXPECT_FALSE(out.contains("list the files")) << out;
    EXPECT_LT(written(), before + 100'000);
  }
  // The owner publishes it again.
  ASSERT_EQ(on("a", "sync"), 0) << out << err;
  ASSERT_EQ(limited("sync --fetch all"), 0) << out << err;
  ASSERT_EQ(limited("show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("list the files")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
