// Files of the fixtures, cut and changed at random: no reader crashes or fails,
// and a session whose own files are whole reads as before.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "layout/codex/codex_layout.h"
#include "layout/gemini/gemini_layout.h"
#include "layout/opencode/opencode_layout.h"
#include "tests/corpus/fixture_database.h"
#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {
namespace {

constexpr int kRounds = 4000;

// Damages the bytes in one small way.
void hurt(std::string& bytes, std::mt19937& random) {
  if (bytes.empty()) return;
  const std::size_t at = random() % bytes.size();
  constexpr std::string_view kNasty[] = {
      "\"", "{",    "}",  "[",     "]",    ":",        ",",    "\\",       std::string_view("\0", 1),
      "\n", "null", "-1", "1e999", "\xff", "\"$set\"", "true", "\"id\":9,"};
  switch (random() % 5) {
    case 0: bytes.resize(at); break;
    case 1: bytes[at] = static_cast<char>(random()); break;
    case 2: bytes.insert(at, kNasty[random() % std::size(kNasty)]); break;
    case 3: bytes.erase(at, random() % 40); break;
    default: bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 200)); break;
  }
}

class DamageTest : public testing::TestWithParam<bool> {
 protected:
  void attack(const Layout& layout, const std::string& fixture) {
    MemoryFeed whole = fixture_feed(layout, fixture);
    std::map<std::string, std::vector<std::string>> before;
    std::map<std::string, std::string> files;  // session -> its file
    for (const auto& [id, reading] : read_sessions(layout, whole)) {
      before[id] = script(*reading);
      files[id] = reading->ref.place.path;
    }
    std::mt19937 random(GetParam() ? 7 : 11);
    for (int round = 0; round < kRounds; ++round) {
      MemoryFeed feed = whole;
      feed.framing = GetParam();
      auto victim = feed.files.begin();
      std::advance(victim, random() % feed.files.size());
      for (auto times = 1 + random() % 3; times > 0; --times) hurt(victim->second, random);
      std::vector<std::string> failures;
      const auto after = read_sessions(layout, feed, {.history = true, .raw = true}, &failures);
      ASSERT_TRUE(failures.empty()) << victim->first.path << ": " << failures[0];
      for (const auto& [id, lines] : before) {
        if (files[id] == victim->first.path) continue;
        const bool renamed = !after.contains(id);
        ASSERT_FALSE(renamed) << id << " is gone after damage to " << victim->first.path;
        // A damaged file may claim another file's session, and then adds to it.
        if (after.at(id)->ref.hint != "" && fixture == "gemini") continue;
        ASSERT_EQ(script(*after.at(id)), lines) << "after damage to " << victim->first.path;
      }
    }
  }
};

TEST_P(DamageTest, CodexReaderSurvivesDamage) { attack(codex_layout(), "codex"); }
TEST_P(DamageTest, GeminiReaderSurvivesDamage) { attack(gemini_layout(), "gemini"); }

INSTANTIATE_TEST_SUITE_P(Framing, DamageTest, testing::Bool(),
                         [](const auto& checked) { return checked.param ? "LinesUnparsed" : "LinesChecked"; });

TEST(DamageTest, OpencodeReaderSurvivesDamagedRows) {
  std::mt19937 random(13);
  FixtureDatabase database;
  MemoryFeed feed = database.feed();
  const auto real = feed.answer_rows;
  feed.answer_rows = [&](const Place& place, std::string_view select, std::span<const std::string> parameters,
                         const Feed::TakeRow& take) {
    return real(place, select, parameters, [&](std::span<const FeedValue> row) {
      std::vector<FeedValue> hurt_row(row.begin(), row.end());
      std::string text;
      const std::size_t column = random() % row.size();
      if (random() % 4 == 0) {
        if (const auto* value = std::get_if<std::string_view>(&row[column])) text = *value;
        hurt(text, random);
        hurt_row[column] = random() % 8 == 0 ? FeedValue(std::monostate{}) : FeedValue(std::string_view(text));
      }
      return take(hurt_row);
    });
  };
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> failures;
    read_sessions(opencode_layout(), feed, {.history = true, .raw = true}, &failures);
    ASSERT_TRUE(failures.empty()) << failures[0];
  }
}

}  // namespace
}  // namespace holdfast::corpus
