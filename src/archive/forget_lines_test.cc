#include "archive/forget_lines.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "archive/archive_testing.h"
#include "archive/find_text.h"
#include "archive/forgotten.h"
#include "archive/verify_archive.h"

namespace holdfast::inline v1 {
namespace {

const std::string kSecret = "sw\"ord/\xC3\xA9";

// A log of `lines` lines; the one in the middle contains `words`.
std::string log_with(const std::string& words, int seed, std::size_t lines = 9) {
  std::string bytes;
  for (std::size_t i = 0; i < lines; ++i)
    bytes += "{\"text\":\"" + (i == lines / 2 ? words : some_bytes(seed + static_cast<int>(i), 40)) + "\"}\n";
  return bytes;
}

std::string without_line(const std::string& bytes, std::size_t lines = 9) {
  std::string kept;
  std::size_t n = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = bytes.find('\n', at) + 1;
    if (n++ != lines / 2) kept += bytes.substr(at, end - at);
    at = end;
  }
  return kept;
}

// Searches the bytes of all chunks and all files.
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

// One file that grew, one that was rewritten without the line since, and one that never had it.
void fill(SimFileSystem& disk) {
  must(disk.put_file("/data/keep", ""));
  auto writer = must(ArchiveWriter::open({}, disk, kArchivePath));
  const std::string grown = log_with("hunter2", 1), rewritten = log_with("hunter2", 50);
  for (const std::size_t part : {3U, 2U, 1U})
    must(capture_bytes(*writer, "grown", grown.substr(0, grown.size() / part), 100));
  must(capture_bytes(*writer, "rewritten", rewritten));
  must(capture_bytes(*writer, "rewritten", log_with("nothing", 90)));
  must(capture_bytes(*writer, "other", log_with("nothing", 200)));
  must(writer->close({}));
}

Result<void> forget(SimFileSystem& disk) {
  HOLDFAST_LET(writer, ArchiveWriter::open({}, disk, kArchivePath));
  HOLDFAST_LET(found, find_text({}, writer->root().directory(), writer->packs(), "hunter2", writer->forgotten_lines()));
  HOLDFAST_TRY(writer->note_forgotten({}, found.whole, found.hashes));
  HOLDFAST_TRY(forget_lines({}, *writer, &found.in_lines));
  return writer->note_forgetting_done({});
}

TEST(ForgetLines, FindsTextAcrossBlocksEscapesAndVersions) {
  SimFileSystem disk;
  must(disk.put_file("/data/keep", ""));
  auto writer = must(ArchiveWriter::open({}, disk, kArchivePath));
  const std::string across(kBlockBytes - 3, 'x');
  must(capture_bytes(*writer, "across", across + kSecret + across));
  must(capture_bytes(*writer, "escaped", R"({"text":"sw\"ord\/\u00e9"})"));
  must(capture_bytes(*writer, "twice", R"({"data":"{\"text\":\"sw\\\"ord/\\u00e9\"}"})"));
  must(capture_bytes(*writer, "before", "it was " + kSecret));
  must(capture_bytes(*writer, "before", "it is not"));
  must(capture_bytes(*writer, "other", "nothing"));
  must(writer->close({}));
  const auto found =
      must(find_text({}, writer->root().directory(), writer->packs(), kSecret, writer->forgotten_lines()));
  std::set<std::string> ids;
  for (const CaptureKey& key : found.in_lines) ids.insert(key.id);
  EXPECT_EQ((std::set<std::string>{"across", "before", "escaped", "twice"}), ids);
  EXPECT_TRUE(found.whole.empty());
  EXPECT_EQ(4U, found.hashes.size());
}

TEST(ForgetLines, RemovesLinesEverywhereAndKeepsTheRest) {
  SimFileSystem disk;
  fill(disk);
  ASSERT_TRUE(is_anywhere(disk, "hunter2"));
  must(forget(disk));
  EXPECT_FALSE(is_anywhere(disk, "hunter2"));
  auto archive = must(Archive::open({}, disk, kArchivePath));
  EXPECT_EQ(without_line(log_with("hunter2", 1)), file_in(*archive, "grown"));
  EXPECT_EQ(log_with("nothing", 90), file_in(*archive, "rewritten"));
  EXPECT_EQ(log_with("nothing", 200), file_in(*archive, "other"));
  EXPECT_TRUE(is_anywhere(disk, some_bytes(51, 40))) << "what else the version before had stays";
  const FileVersion& holed = *must(archive->find("grown"))->second.head.begin()->second;
  EXPECT_EQ(log_with("hunter2", 1).size(), holed.holed);
  EXPECT_EQ(0U, must(archive->find("other"))->second.head.begin()->second->holed);
  EXPECT_TRUE(must(verify_archive({}, *archive)).damage.empty());
}

TEST(ForgetLines, NextWriterFinishesAfterPowerLoss) {
  SimFileSystem start;
  fill(start);
  std::uint64_t calls = 0;
  {
    const auto disk = start.clone();
    const std::uint64_t before = disk->calls();
    must(forget(*disk));
    calls = disk->calls() - before;
  }
  for (std::uint64_t at = 0; at <= calls; ++at) {
    const auto disk = start.clone();
    KillAt observer(at);
    disk->set_observer(&observer);
    const bool done = forget(*disk).has_value();
    disk->set_observer(nullptr);
    for (const CrashModel model : kAllModels) {
      Chooser chooser = Chooser::random(1, at);
      do {
        const auto crashed = disk->crash(model, chooser);
        SCOPED_TRACE("call " + std::to_string(at));
        bool noted = false;
        {
          auto writer = must(ArchiveWriter::open({}, *crashed, kArchivePath));
          noted = !writer->forgotten_lines().hashes.empty();
          if (writer->forgotten_lines().pending) {
            must(forget_lines({}, *writer));
            must(writer->note_forgetting_done({}));
          }
        }
        ASSERT_TRUE(noted || !done);
        auto archive = must(Archive::open({}, *crashed, kArchivePath));
        const std::string grown = log_with("hunter2", 1);
        ASSERT_EQ(noted ? without_line(grown) : grown, file_in(*archive, "grown"));
        ASSERT_EQ(log_with("nothing", 90), file_in(*archive, "rewritten"));
        ASSERT_EQ(log_with("nothing", 200), file_in(*archive, "other"));
        ASSERT_EQ(!noted, is_anywhere(*crashed, "hunter2"));
        const auto check = must(verify_archive({}, *archive));
        ASSERT_TRUE(check.damage.empty()) << check.damage[0].file << ": " << check.damage[0].consequence;
      } while (chooser.next());
    }
  }
}

// Also where names need many escapes.
TEST(ForgetLines, LinesThatRepeatTheListAreNotLong) {
  Forgotten forgotten;
  forgotten.lines.salt = "salt";
  for (int n = 0; n < 500; ++n) {
    const CaptureKey key{"made-up", "/" + std::string(static_cast<std::size_t>(n), '\x01'), std::to_string(n)};
    forgotten.sessions.insert(key);
    if (n % 2 == 0) forgotten.unfinished.insert(key);
    forgotten.lines.hashes.insert(sha256_hex(key.id));
  }
  SimFileSystem disk;
  std::string log;
  for (const std::string& line : lines_for_log(forgotten)) {
    EXPECT_LE(line.size(), kMaxCaptureLine);
    log += line + "\n";
  }
  must(disk.put_file(std::string(kArchivePath) + "/log.jsonl", log));
  const auto directory = must(disk.open_directory(kArchivePath, false));
  const Forgotten read = must(load_forgotten({}, *directory));
  EXPECT_EQ(read.sessions, forgotten.sessions);
  EXPECT_EQ(read.unfinished, forgotten.unfinished);
  EXPECT_EQ(read.lines.hashes, forgotten.lines.hashes);
}

}  // namespace
}  // namespace holdfast::inline v1
