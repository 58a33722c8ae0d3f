// Flips every byte of log, index and pack, and cuts each of them at every offset: what is read is what
// was captured, or there is a finding; never other bytes, and never much memory.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "archive/archive_testing.h"
#include "archive/restore_captured.h"
#include "archive/verify_archive.h"

namespace holdfast::inline v1 {
namespace {

constexpr char kId[] = "aaaaaaaa-0000-4000-8000-00000000000a";
const std::string kFile = "projects/-p/" + std::string(kId) + ".jsonl";
const std::string kBytes = "{\"type\":\"user\",\"text\":\"one\"}\n{\"type\":\"user\",\"text\":\"two\"}\n";

std::string at(std::string_view name) { return std::string(kArchivePath) + "/" + std::string(name); }

// A session of Claude Code in two pieces, followed by a session of another agent.
void fill(SimFileSystem& disk) {
  must(disk.put_file("/data/keep", "mine"));
  auto writer = must(ArchiveWriter::open({}, disk, kArchivePath));
  for (const std::size_t size : {kBytes.size() / 2, kBytes.size()}) {
    FileVersion version;
    std::uint64_t from = 0;
    for (const std::size_t end : {kBytes.size() / 2, size}) {
      if (end == from) continue;
      const std::string part = kBytes.substr(from, end - from);
      version.blocks.push_back({must(writer->add_chunk({}, part)), static_cast<std::uint32_t>(part.size())});
      from = end;
    }
    version.size = size;
    Capture capture;
    capture.session = {"claude-code", "/home/me/.claude", kId};
    capture.at = "2026-11-16T00:00:00.000Z";
    capture.files.push_back({{"home", kFile}, std::make_shared<FileVersion>(version)});
    must(writer->add({}, std::move(capture)));
  }
  must(capture_bytes(*writer, "other", "other bytes"));
  must(writer->close({}));
}

std::size_t peak_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss);
}

class DamagedArchive : public testing::Test {
 protected:
  // Does everything that can be done with the archive.
  void judge(const SimFileSystem& whole, const std::string& name, const std::string& bytes, const std::string& what) {
    SCOPED_TRACE(name + ": " + what);
    const auto disk = whole.clone();
    must(disk->put_file(at(name), bytes));
    auto archive = Archive::open({}, *disk, kArchivePath);
    bool told = !archive.has_value();
    std::string restored;
    if (archive) {
      const auto check = must(verify_archive({}, **archive));
      told = !check.damage.empty();
      for (const auto& [chunk, place] : (*archive)->packs().all()) {
        const auto plain = (*archive)->packs().read(chunk);
        EXPECT_TRUE(!plain || sha256_hex(*plain) == chunk) << chunk;
      }
      const auto found = (*archive)->find(kId);
      if (found && (*found)->first.layout == "claude-code") {
        const Layout& layout = *find_layout("claude-code");
        const auto& [key, session] = **found;
        const auto done = restore_captured({}, *disk, (*archive)->packs(), key, session, layout, {},
                                           {.root = "/data/restored", .imports = "/data/restored"});
        EXPECT_TRUE(done || !done.error().message.empty());
        restored = disk->read_file("/data/restored/" + kFile).value_or("");
      }
    }
    // If the newer line cannot be read, the older version; otherwise all or nothing.
    EXPECT_TRUE(restored.empty() || restored == kBytes || restored == kBytes.substr(0, kBytes.size() / 2)) << restored;
    // A truncated log looks like one that was never longer or is being written.
    const bool shorter = name == "log.jsonl" && what.starts_with("cut");
    EXPECT_TRUE(restored == kBytes || shorter || told) << "lost without a word";
    // An index is derived: the pack has everything.
    if (name.ends_with(".idx")) {
      EXPECT_TRUE(restored == kBytes && !told);
    }
    if (auto writer = ArchiveWriter::open({}, *disk, kArchivePath)) (void)(*writer)->close({});
    EXPECT_EQ(disk->read_file("/data/keep").value_or(""), "mine");
    for (const SimEntry& entry : disk->tree()) {
      EXPECT_TRUE(entry.kind == FileKind::directory || entry.path == "/data/keep" ||
                  entry.path.starts_with("/data/archive/") || entry.path == "/data/restored/" + kFile)
          << entry.path;
    }
  }
};

TEST_F(DamagedArchive, FlipsAndCutsNeverRestoreWrongBytes) {
  SimFileSystem whole;
  fill(whole);
  judge(whole, "log.jsonl", must(whole.read_file(at("log.jsonl"))), "as it is");
  const std::size_t before = peak_kib();
  for (const std::string name : {"log.jsonl", "packs/000001.zst", "packs/000001.idx"}) {
    const std::string bytes = must(whole.read_file(at(name)));
    ASSERT_GT(bytes.size(), 100U);
    for (std::size_t i = 0; i < bytes.size() && !HasFailure(); ++i) {
      for (const int mask : {0x01, 0x80, 0xff}) {
        std::string flipped = bytes;
        flipped[i] = static_cast<char>(flipped[i] ^ mask);
        judge(whole, name, flipped, "byte " + std::to_string(i) + " flipped by " + std::to_string(mask));
      }
      judge(whole, name, bytes.substr(0, i), "cut to " + std::to_string(i));
    }
  }
  EXPECT_LT(peak_kib() - before, 512U << 10) << "KiB more; a frame without a size once took 4 GiB";
}

}  // namespace
}  // namespace holdfast::inline v1
