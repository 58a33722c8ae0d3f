#include "archive/rewrite_archive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "archive/archive_testing.h"
#include "archive/verify_archive.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kSessions = 3;

CaptureKey key_of(std::size_t n) { return {"made-up", "/s", "s" + std::to_string(n)}; }
std::string bytes_of(std::size_t n) { return some_bytes(static_cast<int>(n), 2000 + n * 140'000); }

// Each session in three captures, each longer than the one before.
void fill(SimFileSystem& disk) {
  must(disk.put_file("/data/keep", ""));
  auto writer = must(ArchiveWriter::open({}, disk, kArchivePath));
  for (std::size_t n = 0; n < kSessions; ++n) {
    const std::string bytes = bytes_of(n);
    for (const std::size_t part : {3U, 2U, 1U})
      must(capture_bytes(*writer, key_of(n).id, bytes.substr(0, bytes.size() / part), 40'000));
  }
  must(writer->close({}));
}

std::uint64_t packed(Archive& archive) {
  std::uint64_t bytes = 0;
  for (const auto& [pack, end] : archive.packs().ends()) bytes += end;
  return bytes;
}

// Searches every file of the disk: chunks unpacked, everything else as it is.
bool is_anywhere(SimFileSystem& disk, const std::string& wanted) {
  auto archive = must(Archive::open({}, disk, kArchivePath));
  for (const auto& [name, place] : archive->packs().all()) {
    const auto plain = archive->packs().read(name);
    if (plain && plain->find(wanted) != std::string::npos) return true;
  }
  return std::ranges::any_of(disk.tree(), [&](const SimEntry& entry) {
    return entry.kind == FileKind::file && entry.bytes.find(wanted) != std::string::npos;
  });
}

TEST(RewriteArchive, DropRemovesAllBytesAndKeepsOtherSessions) {
  SimFileSystem disk;
  fill(disk);
  {
    auto writer = must(ArchiveWriter::open({}, disk, kArchivePath));
    must(drop_sessions({}, *writer, {key_of(1)}));
  }
  auto archive = must(Archive::open({}, disk, kArchivePath));
  EXPECT_FALSE(archive->find("s1"));
  for (const std::size_t n : {0U, 2U}) EXPECT_EQ(bytes_of(n), file_in(*archive, key_of(n).id));
  EXPECT_TRUE(must(verify_archive({}, *archive)).damage.empty());
  EXPECT_FALSE(is_anywhere(disk, bytes_of(1).substr(0, 60)));
  EXPECT_TRUE(is_anywhere(disk, bytes_of(2).substr(0, 60)));
  // The archive can still be written to.
  auto writer = must(ArchiveWriter::open({}, disk, kArchivePath));
  must(capture_bytes(*writer, "more", "more"));
  must(writer->close({}));
  EXPECT_EQ("more", file_in(*must(Archive::open({}, disk, kArchivePath)), "more"));
}

TEST(RewriteArchive, CompactionDropsOnlyPrefixesOfLaterVersions) {
  SimFileSystem disk;
  fill(disk);
  {
    auto writer = must(ArchiveWriter::open({}, disk, kArchivePath));
    must(capture_bytes(*writer, "rewritten", "the first version"));
    must(capture_bytes(*writer, "rewritten", "the second one"));
    must(writer->close({}));
  }
  auto archive = must(Archive::open({}, disk, kArchivePath));
  const std::uint64_t before = packed(*archive);
  {
    auto writer = must(ArchiveWriter::open({}, disk, kArchivePath));
    must(compact_archive({}, *writer));
  }
  archive = must(Archive::open({}, disk, kArchivePath));
  EXPECT_LT(packed(*archive), before);
  for (std::size_t n = 0; n < kSessions; ++n) {
    EXPECT_EQ(bytes_of(n), file_in(*archive, key_of(n).id));
    const FileVersion& version = *must(archive->find(key_of(n).id))->second.head.begin()->second;
    EXPECT_LE(version.blocks.size(), version.sealed() + 1);
  }
  EXPECT_EQ(kSessions + 2, archive->state().captures);
  EXPECT_EQ("the second one", file_in(*archive, "rewritten"));
  EXPECT_TRUE(is_anywhere(disk, "the first version"));
  const auto check = must(verify_archive({}, *archive));
  EXPECT_TRUE(check.damage.empty());
}

// A disk with room for so many bytes more.
class FullDisk final : public SimObserver {
 public:
  explicit FullDisk(std::uint64_t left) : left_(left) {}
  Injection before(const SimCall& call) override {
    if (call.kind != SimCallKind::append && call.kind != SimCallKind::write_at) return {};
    if (call.bytes > left_) return {.kind = Injection::Kind::fail, .error = ENOSPC};
    left_ -= call.bytes;
    return {};
  }

 private:
  std::uint64_t left_;
};

std::uint64_t pack_bytes(const SimFileSystem& disk) {
  std::uint64_t bytes = 0;
  for (const SimEntry& entry : disk.tree())
    if (entry.path.ends_with(".zst")) bytes += entry.bytes.size();
  return bytes;
}

TEST(RewriteArchive, FailedForLackOfSpaceLeavesNothingBehind) {
  SimFileSystem start;
  fill(start);
  for (const bool compacting : {false, true}) {
    const auto work = [&](SimFileSystem& disk) -> Result<void> {
      HOLDFAST_LET(writer, ArchiveWriter::open({}, disk, kArchivePath));
      const auto rewritten = compacting ? compact_archive({}, *writer) : drop_sessions({}, *writer, {key_of(1)});
      return rewritten ? Result<void>() : fail(rewritten.error());
    };
    bool done = false;
    int failed = 0;
    for (std::uint64_t left = 0; !done; left += 30'000) {
      SCOPED_TRACE(std::to_string(left) + (compacting ? " compacting" : " dropping"));
      const auto disk = start.clone();
      FullDisk observer(left);
      disk->set_observer(&observer);
      const auto worked = work(*disk);
      disk->set_observer(nullptr);
      done = worked.has_value();
      if (done) break;
      ++failed;
      EXPECT_EQ(Code::disk_full, worked.error().code) << worked.error().text();
      EXPECT_EQ(pack_bytes(start), pack_bytes(*disk));
      // Nothing is lost, and with space it works.
      auto archive = must(Archive::open({}, *disk, kArchivePath));
      for (std::size_t n = 0; n < kSessions; ++n) EXPECT_EQ(bytes_of(n), file_in(*archive, key_of(n).id));
      archive.reset();
      must(work(*disk));
      archive = must(Archive::open({}, *disk, kArchivePath));
      EXPECT_EQ(compacting, archive->find("s1").has_value());
      EXPECT_EQ(bytes_of(2), file_in(*archive, key_of(2).id));
      EXPECT_TRUE(must(verify_archive({}, *archive)).damage.empty());
    }
    EXPECT_GT(failed, 3);
  }
}

TEST(RewriteArchive, PowerLossKeepsSessionsAndDroppedOnesStayGone) {
  SimFileSystem start;
  fill(start);
  for (const bool compacting : {false, true}) {
    const auto work = [&](SimFileSystem& disk) {
      auto writer = ArchiveWriter::open({}, disk, kArchivePath);
      if (!writer) return false;
      if (compacting) return compact_archive({}, **writer).has_value();
      return (*writer)->note_forgotten({}, {key_of(1)}) && drop_sessions({}, **writer, {key_of(1)});
    };
    std::uint64_t calls = 0;
    {
      const auto disk = start.clone();
      const std::uint64_t before = disk->calls();
      ASSERT_TRUE(work(*disk));
      calls = disk->calls() - before;
    }
    for (std::uint64_t at = 0; at <= calls; ++at) {
      const auto disk = start.clone();
      KillAt observer(at);
      disk->set_observer(&observer);
      const bool done = work(*disk);
      disk->set_observer(nullptr);
      for (const CrashModel model : kAllModels) {
        Chooser chooser = Chooser::random(1, at);
        do {
          const auto crashed = disk->crash(model, chooser);
          SCOPED_TRACE("call " + std::to_string(at) + (compacting ? " compacting" : " dropping"));
          for (const bool mended : {false, true}) {
            if (mended) {
              auto writer = must(ArchiveWriter::open({}, *crashed, kArchivePath));
              if (writer->forgotten().contains(key_of(1))) must(drop_sessions({}, *writer, writer->forgotten()));
            }
            auto archive = must(Archive::open({}, *crashed, kArchivePath));
            for (std::size_t n = 0; n < kSessions; ++n) {
              if (n == 1 && !compacting) continue;
              ASSERT_EQ(bytes_of(n), file_in(*archive, key_of(n).id)) << mended;
            }
            if (done && !compacting) {
              ASSERT_FALSE(archive->find("s1"));
            }
            if (!mended) continue;
            const auto check = must(verify_archive({}, *archive));
            ASSERT_TRUE(check.damage.empty()) << check.damage[0].file << ": " << check.damage[0].consequence;
          }
          if (done && !compacting) {
            ASSERT_FALSE(is_anywhere(*crashed, bytes_of(1).substr(0, 60)));
          }
        } while (chooser.next());
      }
    }
  }
}

}  // namespace
}  // namespace holdfast::inline v1
