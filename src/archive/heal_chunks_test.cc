#include "archive/heal_chunks.h"

#include <gtest/gtest.h>

#include "archive/archive_testing.h"
#include "archive/damaged_chunks.h"

namespace holdfast::inline v1 {
namespace {

struct HealChunks : testing::Test {
  void SetUp() override { must(disk.put_file("/data/keep", "")); }
  std::unique_ptr<ArchiveWriter> open() { return must(ArchiveWriter::open({}, disk, kArchivePath)); }
  static void close(ArchiveWriter& writer) {
    must(writer.note_damage({}));
    must(writer.close({}));
  }
  // Damages the chunk with these bytes, and notes it as verify does.
  void damage(const std::string& bytes) {
    auto writer = open();
    const std::string name = sha256_hex(bytes);
    const ChunkPlace place = *writer->packs().find(name);
    ASSERT_TRUE(disk.flip_bit(std::string(kArchivePath) + "/" + pack_path(place.pack), (place.end() - 6) * 8));
    must(save_damaged({}, writer->root(), {name}));
  }

  SimFileSystem disk;
  const std::string text = some_bytes(1, 3000);
};

TEST_F(HealChunks, LooksAgainOnlyWhereSomethingWasCapturedSince) {
  {
    auto writer = open();
    must(capture_bytes(*writer, "one", text));
    close(*writer);
  }
  damage(text);
  for (int run = 0; run < 2; ++run) {
    auto writer = open();
    EXPECT_EQ(writer->healing_tried(), run == 0 ? 0U : 1U);
    must(heal_from_other_versions({}, *writer));
    EXPECT_EQ(writer->healing_tried(), 1U);
    EXPECT_EQ(writer->damaged().size(), 1U);
    close(*writer);
  }
  {
    auto writer = open();
    must(capture_bytes(*writer, "two", some_bytes(2, 100)));
    must(heal_from_other_versions({}, *writer));
    EXPECT_EQ(writer->healing_tried(), 2U);
    close(*writer);
  }
  {
    auto writer = open();
    EXPECT_EQ(writer->healing_tried(), 2U);
    must(capture_bytes(*writer, "one", text + "more", 2000));
    must(heal_from_other_versions({}, *writer));
    EXPECT_EQ(writer->healed(), 1U);
    EXPECT_TRUE(writer->damaged().empty());
    close(*writer);
  }
  auto archive = must(Archive::open({}, disk, kArchivePath));
  EXPECT_EQ(must(archive->packs().read(sha256_hex(text))), text);
  EXPECT_TRUE(load_damaged(archive->directory()).empty());
}

// Other damage may be healed by what was looked at before.
TEST_F(HealChunks, LooksAtEverythingIfTheDamageIsOther) {
  const std::string end = some_bytes(3, 500);
  {
    auto writer = open();
    must(capture_bytes(*writer, "one", text));
    must(capture_bytes(*writer, "one", text + end, 1750));
    must(capture_bytes(*writer, "lost", end));
    close(*writer);
  }
  damage(end);
  {
    auto writer = open();
    must(heal_from_other_versions({}, *writer));
    EXPECT_EQ(writer->healing_tried(), 3U);
    close(*writer);
  }
  damage(text);
  auto writer = open();
  EXPECT_EQ(writer->healing_tried(), 0U);
  must(heal_from_other_versions({}, *writer));
  EXPECT_EQ(writer->healed(), 1U);
  EXPECT_EQ(must(writer->packs().read(sha256_hex(text))), text);
}

// The bytes of a piece that is lost are in versions that are cut in a hundred other ways; damaged ones do not count.
TEST_F(HealChunks, ManyVersionsOfOneFile) {
  const std::string whole = some_bytes(4, kBlockBytes - 1000);
  {
    auto writer = open();
    for (std::size_t piece = 10'000; piece < 20'000; piece += 100) {
      must(capture_bytes(*writer, "one", whole.substr(0, whole.size() - 50'000 + piece), piece));
    }
    must(capture_bytes(*writer, "one", whole.substr(0, 40'000), 40'000));
    close(*writer);
  }
  damage(whole.substr(0, 40'000));
  auto writer = open();
  must(heal_from_other_versions({}, *writer));
  EXPECT_EQ(writer->healed(), 1U);
  close(*writer);
}

}  // namespace
}  // namespace holdfast::inline v1
