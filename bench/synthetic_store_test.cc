// The readers must report exactly what was written into a synthetic store.
#include "bench/synthetic_store.h"

#include <gtest/gtest.h>
#include <holdfast/store.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace holdfast::bench {
namespace {

class SyntheticStoreTest : public ::testing::Test {
 protected:
  SyntheticStoreTest() : place_(::testing::TempDir() + "synthetic-" + std::to_string(::getpid())) {}
  ~SyntheticStoreTest() override { std::filesystem::remove_all(place_); }

  SessionList list(const std::string& layout, const std::string& folder) const {
    StoreOptions options;
    options.layout = layout;
    options.roots[""] = place_ + "/" + folder;
    const auto store = Store::open({}, real_file_system(), options);
    if (!store) return {};
    auto listed = (*store)->list({});
    return listed ? *listed : SessionList();
  }

  const std::string place_;
};

// Everything in one line, so a difference is easy to see.
std::string line_of(const SyntheticSession& told) {
  std::ostringstream text;
  text << told.project << ' ' << told.branch << ' ' << told.title << ' ' << told.models.front() << ' ' << told.prompts
       << ' ' << told.answers << ' ' << told.calls << ' ' << told.results << ' ' << told.input << ' ' << told.output
       << ' ' << told.cache_read << ' ' << told.cache_write << ' ' << told.bytes << ' ' << told.first_prompt;
  return text.str();
}

SyntheticSession read_back(const Session& row) {
  const auto plain = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  return {.layout = row.layout,
          .id = row.id,
          .project = row.project,
          .branch = row.git_branch,
          .path = row.path,
          .first_prompt = row.first_prompt,
          .title = row.title,
          .models = row.models.empty() ? std::vector<std::string>{"none"} : row.models,
          .prompts = plain(row.counts.user),
          .answers = plain(row.counts.assistant),
          .calls = plain(row.counts.tool_calls),
          .results = plain(row.counts.tool_results),
          .input = plain(row.usage.input),
          .output = plain(row.usage.output),
          .cache_read = plain(row.usage.cache_read),
          .cache_write = plain(row.usage.cache_write),
          .bytes = row.bytes};
}

TEST_F(SyntheticStoreTest, ReadersListExactlyWhatWasWritten) {
  const auto written = write_synthetic_store({.bytes = 6'000'000, .sessions = 40, .seed = 7}, place_);
  ASSERT_EQ(written.size(), 40u);
  std::map<std::string, const SyntheticSession*> by_id;
  for (const SyntheticSession& one : written) by_id[one.id] = &one;
  for (const auto& [layout, folder] : {std::pair("claude-code", ".claude"), std::pair("codex", ".codex")}) {
    const SessionList listed = list(layout, folder);
    EXPECT_EQ(listed.sessions.size(), 20u) << layout;
    EXPECT_TRUE(listed.findings.empty()) << layout;
    for (const Session& row : listed.sessions) {
      ASSERT_TRUE(by_id.contains(row.id));
      EXPECT_EQ(line_of(read_back(row)), line_of(*by_id[row.id]));
      EXPECT_EQ(row.damage, 0);
      EXPECT_EQ(row.status, Status::active);
    }
  }
}

TEST_F(SyntheticStoreTest, TheSameSeedGivesTheSameBytes) {
  const auto bytes_of = [](const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const auto once = write_synthetic_store({.bytes = 400'000, .sessions = 3, .seed = 11}, place_ + "/a");
  const auto again = write_synthetic_store({.bytes = 400'000, .sessions = 3, .seed = 11}, place_ + "/b");
  const auto other = write_synthetic_store({.bytes = 400'000, .sessions = 3, .seed = 12}, place_ + "/c");
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(bytes_of(once[n].path), bytes_of(again[n].path));
    EXPECT_NE(bytes_of(once[n].path), bytes_of(other[n].path));
    EXPECT_EQ(bytes_of(once[n].path).size(), once[n].bytes);
  }
}

TEST_F(SyntheticStoreTest, SizeIsAboutWhatWasAskedFor) {
  std::uint64_t sum = 0;
  for (const auto& one : write_synthetic_store({.bytes = 10'000'000, .sessions = 100, .seed = 3}, place_))
    sum += one.bytes;
  EXPECT_GT(sum, 9'000'000u);
  EXPECT_LT(sum, 13'000'000u);
}

}  // namespace
}  // namespace holdfast::bench
