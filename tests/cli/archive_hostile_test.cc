// A pack with forged frames, through the commands: a finding that names the pack, little memory, nothing written.
#include <sys/resource.h>

#include "archive/chunk_testing.h"
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kBomb = std::uint64_t{1} << 30;
constexpr std::size_t kAllowedKib = 128U << 10;

// The most memory that any command took so far.
std::size_t peak_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss);
}

struct ArchiveHostile : CliHome {
  // An archive with one session, whose agent has lost it.
  void SetUp() override {
    CliHome::SetUp();
    claude(id, "\"a prompt\"");
    log = text(".claude/projects/-desk/" + id + ".jsonl");
    ASSERT_EQ(sh("$H archive run && $H archive verify && rm -r $HOME/.claude"), 0) << err;
    ASSERT_EQ(sh("$H show aaaaaaaa"), 0) << err;
  }
  void put_pack(const std::string& chunk, bool index) {
    std::ofstream(home + "/" + data + "/packs/000001.zst", std::ios::binary) << chunk;
    const std::string entry = sha256_hex(log) + " " + std::to_string(kChunkHeaderBytes) + " " +
                              std::to_string(chunk.size() - kChunkHeaderBytes) + " " + std::to_string(log.size()) +
                              "\n";
    fs::remove(home + "/" + data + "/packs/000001.idx");
    if (index) std::ofstream(home + "/" + data + "/packs/000001.idx") << entry;
  }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string data = ".local/share/holdfast/archive";
  std::string log;
};

TEST_F(ArchiveHostile, ForgedFrameIsNamedAndWritesNothing) {
  const std::uint64_t size = log.size();
  struct Case {
    ForgedFrame frame;
    std::uint64_t plain;
    std::string lost;  // what show and restore say
  };
  const std::string in_pack = " (packs/000001.zst)", wrong_size = "does not have the size it states" + in_pack;
  const std::vector<Case> cases{
      {{.content = log}, size, wrong_size},
      {{.content = log, .zeros = kBomb}, size, wrong_size},
      {{.stated_size = size + kBomb, .content = log, .zeros = kBomb}, size, wrong_size},
      {{.stated_size = size, .content = log, .zeros = kBomb}, size, "cannot be decompressed" + in_pack},
      {{.stated_size = size, .window_log = 41, .content = log}, size, wrong_size},
      // Over the limit also in the header, so this is not even a chunk.
      {{.stated_size = size + kBomb, .content = log, .zeros = kBomb}, size + kBomb, "is in no pack"}};
  const std::size_t before = peak_kib();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (const bool index : {false, true}) {
      SCOPED_TRACE(std::to_string(i) + (index ? " with index" : ""));
      const Case& one = cases[i];
      const std::string told = i + 1 == cases.size() ? "not a complete chunk" : one.lost.substr(0, one.lost.find(" ("));
      put_pack(forged_chunk(sha256_hex(log), static_cast<std::uint32_t>(one.plain), one.frame.bytes()), index);
      EXPECT_EQ(sh("$H archive verify"), 4) << err;
      EXPECT_TRUE(out.contains("packs/000001.zst, byte ") && out.contains(told)) << out;
      EXPECT_TRUE(out.contains("session " + id + " cannot be restored in full")) << out;
      EXPECT_EQ(sh("$H show aaaaaaaa"), 0) << "what is left of it: " << err;
      EXPECT_TRUE(err.contains(" are lost in the archive: chunk ") && err.contains(one.lost)) << err;
      for (const std::string to : {"", " --to $HOME/back"}) {
        EXPECT_EQ(sh("$H restore aaaaaaaa" + to), 4) << out;
        EXPECT_TRUE(err.contains("session " + id + " cannot be restored in full") && err.contains(one.lost)) << err;
      }
      EXPECT_FALSE(fs::exists(home + "/.claude"));
      EXPECT_FALSE(fs::exists(home + "/back"));
    }
  }
  EXPECT_LT(peak_kib() - before, kAllowedKib);
}

TEST_F(ArchiveHostile, LongWindowTakesNoMemory) {
  const std::size_t before = peak_kib();
  put_pack(forged_chunk(sha256_hex(log), static_cast<std::uint32_t>(log.size()),
                        ForgedFrame{.stated_size = log.size(), .window_log = 31, .content = log}.bytes()),
           false);
  EXPECT_EQ(sh("$H archive verify && $H show aaaaaaaa && $H restore aaaaaaaa"), 0) << out << err;
  EXPECT_EQ(text(".claude/projects/-desk/" + id + ".jsonl"), log);
  EXPECT_LT(peak_kib() - before, kAllowedKib);
}

}  // namespace
}  // namespace holdfast::inline v1
