// A compressed rollout reads like the plain one, through the real Feed.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>

#include "layout/codex/codex_layout.h"
#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {
namespace {

namespace fs = std::filesystem;

TEST(CompressedLog, ReadsLikePlainLog) {
  std::string name = (fs::temp_directory_path() / "holdfast-packed-XXXXXX").string();
  const fs::path root = ::mkdtemp(name.data());
  for (auto& [path, bytes] : fixture_files("codex")) {
    const bool pack = path.find("rollout-") != std::string::npos;
    std::string out = bytes;
    if (pack) {
      out.resize(ZSTD_compressBound(bytes.size()));
      out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
    }
    const fs::path file = root / (path + (pack ? ".zst" : ""));
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << out;
  }
  MemoryFeed plain = fixture_feed(codex_layout(), "codex");
  const auto expected = read_sessions(codex_layout(), plain);
  {
    Store store(codex_layout(), root);
    const auto readings = store.read_all();
    EXPECT_TRUE(store.errors().empty());
    ASSERT_EQ(readings.size(), expected.size());
    for (const auto& reading : readings) {
      EXPECT_EQ(script(*reading), script(*expected.at(reading->ref.id)));
      EXPECT_EQ(reading->session.archived, expected.at(reading->ref.id)->session.archived);
    }
  }
  fs::remove_all(root);
}

}  // namespace
}  // namespace holdfast::corpus
