#include "archive/archive_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <random>

#include "archive/archive_testing.h"
#include "archive/verify_archive.h"
#include "base/another_process.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kPath = kArchivePath;

Result<void> capture(ArchiveWriter& writer, const std::string& id, const std::string& bytes) {
  return capture_bytes(writer, id, bytes);
}

TEST(ArchiveWriter, KeepsCommittedBytesAndStoresDuplicatesOnce) {
  SimFileSystem disk;
  must(disk.put_file("/data/keep", ""));
  const std::string large = some_bytes(1, 600'000);
  {
    auto writer = must(ArchiveWriter::open({}, disk, kPath));
    must(capture(*writer, "one", large));
    const std::uint64_t written = writer->bytes_written();
    must(capture(*writer, "two", large));
    EXPECT_EQ(written, writer->bytes_written());
    must(writer->close({}));
  }
  auto archive = must(Archive::open({}, disk, kPath));
  EXPECT_EQ(large, file_in(*archive, "one"));
  EXPECT_EQ(large, file_in(*archive, "two"));
  EXPECT_EQ(2U, archive->state().captures);
  const auto check = must(verify_archive({}, *archive));
  EXPECT_TRUE(check.damage.empty());
  EXPECT_EQ(3U, check.chunks);
  EXPECT_EQ(0U, check.unnamed);
}

TEST(ArchiveWriter, SecondWriterIsBusy) {
  SimFileSystem disk;
  must(disk.put_file("/data/keep", ""));
  auto writer = must(ArchiveWriter::open({}, disk, kPath));
  writer.reset();
  writer = must(ArchiveWriter::open({}, disk, kPath));
  std::optional<Code> code;
  {
    const AnotherProcess process;
    const auto second = ArchiveWriter::open({}, disk, kPath);
    if (!second) code = second.error().code;
  }
  EXPECT_EQ(Code::busy, code);
}

TEST(ArchiveWriter, RefusesForeignDirectoryAndNewerFormat) {
  SimFileSystem disk;
  must(disk.put_file("/data/archive/notes.txt", "mine"));
  const auto writer = ArchiveWriter::open({}, disk, kPath);
  ASSERT_FALSE(writer);
  EXPECT_EQ(Code::storage_unavailable, writer.error().code);
  must(disk.put_file("/data/archive/FORMAT", "{\"holdfast_archive\":2}"));
  EXPECT_EQ(Code::newer_schema, ArchiveWriter::open({}, disk, kPath).error().code);
}

TEST(ArchiveWriter, LongFileListsAreStoredInChunks) {
  SimFileSystem disk;
  must(disk.put_file("/data/keep", ""));
  auto writer = must(ArchiveWriter::open({}, disk, kPath));
  Capture capture;
  capture.session = {"made-up", "/s", "many"};
  for (int i = 0; i < 500; ++i) {
    FileVersion version;
    const std::string bytes = "file " + std::to_string(i);
    version.blocks.push_back({must(writer->add_chunk({}, bytes)), static_cast<std::uint32_t>(bytes.size())});
    version.size = bytes.size();
    capture.files.push_back({{"home", std::to_string(i)}, std::make_shared<FileVersion>(version)});
  }
  must(writer->add({}, capture));
  must(writer->close({}));
  writer.reset();
  EXPECT_LE(must(disk.read_file("/data/archive/log.jsonl")).size(), kMaxCaptureLine);
  auto archive = must(Archive::open({}, disk, kPath));
  EXPECT_EQ(500U, must(archive->find("many"))->second.head.size());
  EXPECT_TRUE(must(verify_archive({}, *archive)).damage.empty());
}

// What was added for a session that does not fit is removed, and the next one is captured as if nothing had happened.
TEST(ArchiveWriter, GoesBackAndGoesOn) {
  SimFileSystem disk;
  must(disk.put_file("/data/keep", ""));
  auto writer = must(ArchiveWriter::open({}, disk, kPath));
  const auto add_and_go_back = [&](int chunks) {
    const WriterMark mark = writer->mark();
    for (int n = 0; n < chunks; ++n) must(writer->add_chunk({}, some_bytes(100 + n, 200'000)));
    EXPECT_LT(mark.written, writer->bytes_written());
    must(writer->go_back(mark));
    EXPECT_EQ(mark.written, writer->bytes_written());
  };
  add_and_go_back(2);  // in the first pack
  must(capture(*writer, "one", "text of the first"));
  add_and_go_back(3);
  must(writer->commit({}));
  add_and_go_back(1);
  must(capture(*writer, "two", some_bytes(2, 300'000)));
  const WriterMark mark = writer->mark();
  must(capture(*writer, "three", "text of the third"));
  EXPECT_FALSE(writer->go_back(mark)) << "a capture names what would be removed";
  must(writer->close({}));
  writer.reset();
  auto archive = must(Archive::open({}, disk, kPath));
  EXPECT_EQ("text of the first", file_in(*archive, "one"));
  EXPECT_EQ(some_bytes(2, 300'000), file_in(*archive, "two"));
  EXPECT_EQ("text of the third", file_in(*archive, "three"));
  const auto check = must(verify_archive({}, *archive));
  EXPECT_TRUE(check.damage.empty());
  EXPECT_EQ(0U, check.unnamed);
}

TEST(ArchiveWriter, GoesBackToAnEarlierPack) {
  SimFileSystem disk;
  must(disk.put_file("/data/keep", ""));
  auto writer = must(ArchiveWriter::open({}, disk, kPath));
  must(capture(*writer, "one", "text of the first"));
  const WriterMark mark = writer->mark();
  std::mt19937_64 random(7);
  std::string chunk(kMaxChunk, '\0');
  for (std::uint64_t bytes = 0; bytes <= kPackBytes; bytes += chunk.size()) {
    for (std::size_t at = 0; at < chunk.size(); at += sizeof(std::uint64_t)) {
      const std::uint64_t noise = random();
      std::memcpy(chunk.data() + at, &noise, sizeof(noise));
    }
    must(writer->add_chunk({}, chunk));
  }
  ASSERT_EQ(2U, writer->pack_end().pack);
  must(writer->go_back(mark));
  must(capture(*writer, "two", "text of the second"));
  must(writer->close({}));
  writer.reset();
  auto archive = must(Archive::open({}, disk, kPath));
  EXPECT_EQ("text of the first", file_in(*archive, "one"));
  EXPECT_EQ("text of the second", file_in(*archive, "two"));
  EXPECT_EQ(2U, archive->packs().ends().size());
  const auto check = must(verify_archive({}, *archive));
  EXPECT_TRUE(check.damage.empty());
  EXPECT_EQ(0U, check.unnamed);
  archive.reset();
  writer = must(ArchiveWriter::open({}, disk, kPath));
  EXPECT_TRUE(writer->findings().empty());
  must(capture(*writer, "three", "text of the third"));
  must(writer->close({}));
}

// After any crash, everything acknowledged is readable, the next writer can continue, and every pack consists
// of whole frames again. Captures six sessions, each committed separately, in two process lifetimes.
void work(SimFileSystem& disk, const std::function<void(std::size_t)>& acknowledged) {
  std::size_t done = 0;
  for (int life = 0; life < 2; ++life) {
    auto writer = ArchiveWriter::open({}, disk, kPath);
    if (!writer) return;
    for (int i = 0; i < 3; ++i) {
      const std::string id = "s" + std::to_string(done);
      if (!capture(**writer, id, some_bytes(static_cast<int>(done), 3000 + done * 70'000)) || !(*writer)->commit({}))
        return;
      acknowledged(++done);
    }
    if (!(*writer)->close({})) return;
  }
}

void expect_all(SimFileSystem& disk, std::size_t acknowledged, const std::string& when) {
  SCOPED_TRACE(when);
  for (const bool mended : {false, true}) {
    if (mended) {
      auto writer = ArchiveWriter::open({}, disk, kPath);
      ASSERT_TRUE(writer) << writer.error().text();
      ASSERT_TRUE(capture(**writer, "after", some_bytes(99, 5000)));
      ASSERT_TRUE((*writer)->close({}));
    }
    if (acknowledged == 0 && !mended) continue;
    auto archive = Archive::open({}, disk, kPath);
    ASSERT_TRUE(archive) << archive.error().text();
    for (std::size_t i = 0; i < acknowledged; ++i)
      ASSERT_EQ(some_bytes(static_cast<int>(i), 3000 + i * 70'000), file_in(**archive, "s" + std::to_string(i)));
    if (!mended) continue;
    ASSERT_EQ(some_bytes(99, 5000), file_in(**archive, "after"));
    const auto check = verify_archive({}, **archive);
    ASSERT_TRUE(check);
    // A power loss may leave a part of a line that was never acknowledged.
    for (const Finding& damage : check->damage)
      if (damage.file != kCaptureLog) ADD_FAILURE() << damage.file << ": " << damage.consequence;
  }
}

TEST(ArchiveWriter, PowerLossKeepsEverythingAcknowledged) {
  std::uint64_t calls = 0;
  {
    SimFileSystem disk;
    must(disk.put_file("/data/keep", ""));
    const std::uint64_t before = disk.calls();
    work(disk, [](std::size_t) {});
    calls = disk.calls() - before;
  }
  ASSERT_GT(calls, 20U);
  for (std::uint64_t at = 0; at < calls; ++at) {
    SimFileSystem disk;
    must(disk.put_file("/data/keep", ""));
    KillAt observer(at);
    std::size_t acknowledged = 0;
    disk.set_observer(&observer);
    work(disk, [&](std::size_t done) { acknowledged = done; });
    disk.set_observer(nullptr);
    for (const CrashModel model : kAllModels) {
      Chooser chooser = Chooser::random(4, at);
      do {
        const auto crashed = disk.crash(model, chooser);
        expect_all(*crashed, acknowledged,
                   "call " + std::to_string(at) + " model " + std::to_string(static_cast<int>(model)));
        if (testing::Test::HasFatalFailure()) return;
      } while (chooser.next());
    }
  }
}

TEST(ArchiveWriter, FailedSyncLosesNothingAndNextWriterContinues) {
  for (int skip = 0; skip < 12; ++skip) {
    SimFileSystem disk;
    must(disk.put_file("/data/keep", ""));
    OneFault fault(SimCallKind::sync, {.kind = Injection::Kind::fail, .error = EIO}, skip);
    disk.set_observer(&fault);
    std::size_t acknowledged = 0;
    work(disk, [&](std::size_t done) { acknowledged = done; });
    disk.set_observer(nullptr);
    Chooser chooser = Chooser::random(1, static_cast<std::uint64_t>(skip));
    auto crashed = disk.crash(CrashModel::weak, chooser);
    expect_all(*crashed, acknowledged, "sync " + std::to_string(skip));
    expect_all(disk, acknowledged, "sync " + std::to_string(skip) + ", machine lives");
  }
}

// A power loss may bring back an older index of a pack that was cut since.
TEST(ArchiveWriter, StaleIndexEntriesAreNotTrusted) {
  SimFileSystem disk;
  must(disk.put_file("/data/keep", ""));
  // An empty pack is renamed before it is written to.
  for (const std::string which : {"000001", "000003"}) {
    auto writer = must(ArchiveWriter::open({}, disk, kPath));
    must(capture(*writer, which, "bytes of " + which));
    must(writer->close({}));
    writer.reset();
    if (which == "000001") must(disk.put_file("/data/archive/packs/000002.zst", ""));
  }
  for (const std::string which : {"000001", "000003"}) {
    const std::string path = "/data/archive/packs/" + which + ".idx";
    std::string rows = must(disk.read_file(path));
    rows.replace(0, 64, sha256_hex("new in " + which));
    must(disk.put_file(path, rows));
  }
  {
    auto writer = must(ArchiveWriter::open({}, disk, kPath));
    must(capture(*writer, "three", "new in 000001"));
    must(capture(*writer, "four", "new in 000003"));
    must(writer->close({}));
  }
  auto archive = must(Archive::open({}, disk, kPath));
  EXPECT_EQ("new in 000001", file_in(*archive, "three"));
  EXPECT_EQ("new in 000003", file_in(*archive, "four"));
  EXPECT_EQ("bytes of 000001", file_in(*archive, "000001"));
  EXPECT_EQ("bytes of 000003", file_in(*archive, "000003"));
}

// A failed sync leaves a pack to which nobody adds. Whatever of it survives a power loss is not used.
TEST(ArchiveWriter, UnreferencedChunkInEarlierPackIsRewritten) {
  SimFileSystem disk;
  must(disk.put_file("/data/keep", ""));
  {
    auto writer = must(ArchiveWriter::open({}, disk, kPath));
    must(capture(*writer, "one", "first"));
    must(writer->close({}));
  }
  const std::string path = "/data/archive/packs/000001.zst";
  std::string torn = must(pack_chunk(sha256_hex("second"), "second"));
  std::fill(torn.begin() + static_cast<std::ptrdiff_t>(kChunkHeaderBytes), torn.end(), '\0');
  must(disk.put_file(path, must(disk.read_file(path)) + torn));
  must(disk.put_file("/data/archive/packs/000002.zst", ""));
  {
    auto writer = must(ArchiveWriter::open({}, disk, kPath));
    must(capture(*writer, "two", "second"));
    must(writer->close({}));
  }
  auto archive = must(Archive::open({}, disk, kPath));
  EXPECT_EQ("first", file_in(*archive, "one"));
  EXPECT_EQ("second", file_in(*archive, "two"));
}

// Indexes that have everything a writer trusts, or are very long.
TEST(ArchiveWriter, WholeIndexIsNotWrittenAgain) {
  SimFileSystem disk;
  must(disk.put_file("/data/keep", ""));
  const std::string pack = "/data/archive/packs/000001.zst", index = "/data/archive/packs/000001.idx";
  {
    auto writer = must(ArchiveWriter::open({}, disk, kPath));
    must(capture(*writer, "one", "first"));
    must(writer->close({}));
  }
  must(disk.put_file(pack, must(disk.read_file(pack)) + must(pack_chunk(sha256_hex("second"), "second"))));
  must(disk.put_file("/data/archive/packs/000002.zst", ""));
  const std::string row = must(disk.read_file(index));
  std::string rows;
  while (rows.size() < (std::size_t{20} << 20)) rows += row;
  for (const std::string& bytes : {row, rows}) {
    must(disk.put_file(index, bytes));
    auto writer = must(ArchiveWriter::open({}, disk, kPath));
    must(writer->close({}));
    EXPECT_EQ(bytes.size(), must(disk.read_file(index)).size());
  }
}

// The pack itself is right: nothing of it is cut, and the index is written again where it is too short.
TEST(ArchiveWriter, WrongIndexOfTheLastPackMisleadsNobody) {
  SimFileSystem start;
  must(start.put_file("/data/keep", ""));
  {
    auto writer = must(ArchiveWriter::open({}, start, kPath));
    for (int n = 0; n < 40; ++n) must(capture(*writer, "s" + std::to_string(n), some_bytes(n, 300)));
    must(writer->close({}));
  }
  const std::string pack = "/data/archive/packs/000001.zst", index = "/data/archive/packs/000001.idx";
  const std::string whole = must(start.read_file(pack)), rows = must(start.read_file(index));
  const std::size_t last = rows.rfind('\n', rows.size() - 2) + 1, before = rows.rfind('\n', last - 2) + 1;
  std::string shorter = rows, swapped = rows;
  const std::size_t packed = rows.find(' ', rows.find(' ', last) + 1) + 1;
  shorter[packed] = static_cast<char>(shorter[packed] - 1);  // the first digit
  swapped.replace(before, 64, rows.substr(last, 64)).replace(last, 64, rows.substr(before, 64));
  for (const std::string& wrong : {shorter, swapped}) {
    const auto disk = start.clone();
    must(disk->put_file(index, wrong));
    {
      auto writer = must(ArchiveWriter::open({}, *disk, kPath));
      EXPECT_TRUE(writer->findings().empty());
      EXPECT_TRUE(writer->damaged().empty());
      must(capture(*writer, "after", "another"));
      must(writer->close({}));
    }
    EXPECT_TRUE(must(disk->read_file(pack)).starts_with(whole));
    EXPECT_TRUE(must(disk->read_file(index)).starts_with(rows));
    auto archive = must(Archive::open({}, *disk, kPath));
    for (int n = 0; n < 40; ++n) EXPECT_EQ(some_bytes(n, 300), file_in(*archive, "s" + std::to_string(n)));
    EXPECT_EQ("another", file_in(*archive, "after"));
  }
}

// Whoever has them can put them back.
TEST(ArchiveWriter, NumberOfMissingPackIsNotUsedAgain) {
  SimFileSystem start;
  must(start.put_file("/data/keep", ""));
  {
    auto writer = must(ArchiveWriter::open({}, start, kPath));
    must(capture(*writer, "one", "first"));
    must(writer->close({}));
  }
  const std::string pack = "/data/archive/packs/000001.zst";
  const std::string whole = must(start.read_file(pack));
  for (const std::size_t left : {std::string::npos, std::size_t{0}, whole.size() - 1}) {
    SCOPED_TRACE(left);
    const auto disk = start.clone();
    if (left == std::string::npos)
      must(must(disk->open_directory("/data/archive/packs", false))->remove("000001.zst"));
    else
      must(disk->put_file(pack, whole.substr(0, left)));
    {
      auto writer = must(ArchiveWriter::open({}, *disk, kPath));
      EXPECT_EQ(1U, writer->damaged().size());
      must(capture(*writer, "two", "second"));
      must(writer->note_damage({}));
      must(writer->close({}));
    }
    EXPECT_TRUE(disk->read_file("/data/archive/damaged.json").has_value());
    must(disk->put_file(pack, whole));
    auto archive = must(Archive::open({}, *disk, kPath));
    EXPECT_EQ("first", file_in(*archive, "one"));
    EXPECT_EQ("second", file_in(*archive, "two"));
    auto writer = must(ArchiveWriter::open({}, *disk, kPath));
    EXPECT_TRUE(writer->damaged().empty());
    must(writer->note_damage({}));
    EXPECT_FALSE(disk->read_file("/data/archive/damaged.json").has_value());
  }
}

TEST(ArchiveWriter, TornEndIsCopiedAsideAndCut) {
  SimFileSystem disk;
  must(disk.put_file("/data/keep", ""));
  {
    auto writer = must(ArchiveWriter::open({}, disk, kPath));
    must(capture(*writer, "one", "first"));
    must(writer->close({}));
  }
  const std::string whole = must(disk.read_file("/data/archive/packs/000001.zst"));
  must(disk.put_file("/data/archive/packs/000001.zst", whole + std::string(100, '\0')));
  auto writer = must(ArchiveWriter::open({}, disk, kPath));
  ASSERT_EQ(1U, writer->findings().size());
  EXPECT_EQ("torn", writer->findings()[0].kind);
  EXPECT_EQ(whole, must(disk.read_file("/data/archive/packs/000001.zst")));
  bool aside = false;
  for (const std::string& path : disk.paths()) aside = aside || path.find("/data/archive/.side/corrupt/") == 0;
  EXPECT_TRUE(aside);
}

// Flips every byte of pack, index and log: the result is a finding or the right bytes, never wrong ones.
TEST(ArchiveWriter, FlippedBitNeverReturnsWrongBytes) {
  SimFileSystem whole;
  must(whole.put_file("/data/keep", ""));
  {
    auto writer = must(ArchiveWriter::open({}, whole, kPath));
    must(capture(*writer, "one", some_bytes(1, 400)));
    must(capture(*writer, "two", some_bytes(2, 400)));
    must(writer->close({}));
  }
  for (const std::string file : {"packs/000001.zst", "packs/000001.idx", "log.jsonl"}) {
    const std::string path = "/data/archive/" + file;
    const std::size_t size = must(whole.read_file(path)).size();
    for (std::uint64_t bit = 0; bit < size * 8; bit += 3) {
      const auto disk = whole.clone();
      ASSERT_TRUE(disk->flip_bit(path, bit));
      auto archive = Archive::open({}, *disk, kPath);
      ASSERT_TRUE(archive) << archive.error().text();
      int right = 0;
      for (const int which : {1, 2}) {
        const auto found = (*archive)->find(which == 1 ? "one" : "two");
        if (!found || (*found)->first.layout != "made-up" || (*found)->first.store != "/s") continue;
        const std::string bytes = file_in(**archive, which == 1 ? "one" : "two");
        if (bytes == some_bytes(which, 400)) ++right;
        EXPECT_TRUE(bytes == some_bytes(which, 400) || bytes.starts_with("corrupt") || bytes.starts_with("not_found"))
            << bytes;
      }
      EXPECT_GE(right, 1) << file << " bit " << bit;
      if (file.ends_with(".idx")) {
        EXPECT_EQ(2, right) << bit;
      }
    }
  }
}

}  // namespace
}  // namespace holdfast::inline v1
