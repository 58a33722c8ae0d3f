// Every log of the corpus, cut at each record and at random places, with a block
// of NUL bytes, and with glued lines: every intact record is returned, and no
// reader fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

#include "base/corpus_testing.h"
#include "crash/disk/sim_file_system.h"
#include "index/directory_feed.h"
#include "layout/layout.h"

namespace holdfast::corpus {
namespace {

namespace fs = std::filesystem;

constexpr int kRandomCuts = 1000;
constexpr std::size_t kShards = 6;  // tests that run in parallel

struct Line {
  std::size_t start = 0, end = 0;  // without its newline
  bool operator==(const Line&) const = default;
};

// Agents whose sessions are no logs.
const std::set<std::string_view> kOthers = {"opencode", "continue", "openclaw"};

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back({at, end});
    at = end + 1;
  }
  return lines;
}

struct JsonlDamage : testing::Test {
  Context context;
  SimFileSystem files;
  std::unique_ptr<Directory> directory;
  RootDirectories roots;

  void SetUp() override {
    ASSERT_TRUE(files.put_file("/s/log.jsonl", ""));
    auto opened = files.open_directory("/s", false);
    ASSERT_TRUE(opened);
    directory = std::move(*opened);
    roots["home"] = directory.get();
  }

  // Returns the records that the engine reads from these bytes.
  std::vector<std::string> records(const std::string& bytes) {
    EXPECT_TRUE(files.put_file("/s/log.jsonl", bytes));
    DirectoryFeed feed(context, roots);
    std::vector<std::string> all;
    EXPECT_TRUE(feed.records({"home", "log.jsonl"}, {}, [&](const FeedRecord& record) {
      EXPECT_EQ(bytes.compare(record.offset, record.bytes.size(), record.bytes), 0);
      all.emplace_back(record.bytes);
      return true;
    }));
    return all;
  }

  // Cut at `place`: exactly the lines that end before it are returned, unchanged.
  void cut_at(const std::string& text, const std::vector<Line>& lines, std::size_t place) {
    ASSERT_TRUE(files.put_file("/s/log.jsonl", text.substr(0, place)));
    DirectoryFeed feed(context, roots);
    std::size_t count = 0, wrong = 0;
    ASSERT_TRUE(feed.records({"home", "log.jsonl"}, {}, [&](const FeedRecord& record) {
      const bool right = count < lines.size() && lines[count].start == record.offset &&
                         lines[count].end - lines[count].start == record.bytes.size() &&
                         text.compare(record.offset, record.bytes.size(), record.bytes) == 0;
      ++count;
      if (!right) ++wrong;
      return true;
    }));
    const auto intact = std::ranges::count_if(lines, [&](const Line& line) { return line.end <= place; });
    ASSERT_EQ(count, static_cast<std::size_t>(intact)) << "cut at " << place;
    ASSERT_EQ(wrong, 0u) << "cut at " << place;
  }

  void cut_everywhere(const std::string& text, const std::vector<Line>& lines, std::mt19937& random) {
    std::vector<std::size_t> places{0, 1};
    for (const Line& line : lines) {
      for (const std::size_t at : {line.end, line.end + 1, line.end + 2}) places.push_back(std::min(at, text.size()));
    }
    for (int i = 0; i < kRandomCuts; ++i) places.push_back(random() % (text.size() + 1));
    for (const std::size_t place : places) ASSERT_NO_FATAL_FAILURE(cut_at(text, lines, place));
  }

  void blank_a_block(const std::string& text, const std::vector<Line>& lines, std::mt19937& random) {
    const std::size_t from = random() % text.size() / 4096 * 4096, to = std::min(from + 4096, text.size());
    std::string hurt = text;
    std::fill(hurt.begin() + static_cast<std::ptrdiff_t>(from), hurt.begin() + static_cast<std::ptrdiff_t>(to), '\0');
    const auto found = records(hurt);
    for (const Line& line : lines) {
      if (line.start < to && line.end > from) continue;
      ASSERT_NE(std::ranges::find(found, text.substr(line.start, line.end - line.start)), found.end())
          << "the record at " << line.start << " is gone by NUL bytes from " << from;
    }
  }

  void glue_two(const std::string& text, const std::vector<Line>& lines, std::mt19937& random) {
    if (lines.size() < 2) return;
    std::string hurt = text;
    hurt.erase(lines[random() % (lines.size() - 1)].end, 1);
    std::vector<std::string> all;
    for (const Line& line : lines) all.push_back(text.substr(line.start, line.end - line.start));
    ASSERT_EQ(records(hurt), all);
  }
};

// All logs of the corpus, by size, so that the shards take about equally long.
std::vector<fs::path> logs_by_size() {
  std::vector<std::pair<std::uintmax_t, fs::path>> found;
  for (const auto& entry : fs::recursive_directory_iterator(corpus_place())) {
    if (entry.is_regular_file() && entry.path().extension() == ".jsonl" && entry.file_size() > 0)
      found.emplace_back(entry.file_size(), entry.path());
  }
  std::ranges::sort(found);
  std::vector<fs::path> logs;
  for (auto& [size, path] : found) logs.push_back(std::move(path));
  return logs;
}

struct JsonlDamageShard : JsonlDamage, testing::WithParamInterface<std::size_t> {};

TEST_P(JsonlDamageShard, EveryIntactRecordIsReturned) {
  const auto logs = logs_by_size();
  EXPECT_GE(logs.size(), kShards);
  for (std::size_t n = GetParam(); n < logs.size(); n += kShards) {
    std::mt19937 random(static_cast<unsigned>(17 + n));
    const std::string text = read_text(logs[n]);
    SCOPED_TRACE(logs[n].string());
    const auto lines = lines_of(text);
    ASSERT_NO_FATAL_FAILURE(cut_everywhere(text, lines, random));
    for (int i = 0; i < 8; ++i) ASSERT_NO_FATAL_FAILURE(blank_a_block(text, lines, random));
    for (int i = 0; i < 8; ++i) ASSERT_NO_FATAL_FAILURE(glue_two(text, lines, random));
  }
}
INSTANTIATE_TEST_SUITE_P(Shard, JsonlDamageShard, testing::Range<std::size_t>(0, kShards));

struct Counter : Events {
  std::size_t messages = 0;
  void facts(const SessionFacts&) override {}
  bool message(Message) override {
    ++messages;
    return true;
  }
};

TEST_F(JsonlDamage, NoReaderFails) {
  std::mt19937 random(19);
  for (const CorpusAgent& agent : kCorpusAgents) {
    if (kOthers.contains(agent.name)) continue;
    SCOPED_TRACE(agent.name);
    const Layout* layout = find_layout(agent.name);
    ASSERT_NE(layout, nullptr);
    const fs::path from = corpus_store(agent);
    const std::string root = std::string("/") + agent.name;
    for (const auto& entry : fs::recursive_directory_iterator(from)) {
      if (!entry.is_regular_file()) continue;
      ASSERT_TRUE(files.put_file(root + "/" + fs::relative(entry.path(), from).string(), read_text(entry.path())));
    }
    auto opened = files.open_directory(root, false);
    ASSERT_TRUE(opened);
    RootDirectories mine{{std::string(layout->roots()[0].name), opened->get()}};
    std::vector<SessionRef> refs;
    DirectoryFeed finding(context, mine);
    ASSERT_TRUE(layout->find(finding, [&](SessionRef ref) {
      refs.push_back(std::move(ref));
      return true;
    }));
    for (const SessionRef& ref : refs) {
      const std::string path = root + "/" + ref.place.path;
      const std::string text = *files.read_file(path);
      for (int round = 0; round < 12 && !text.empty(); ++round) {
        std::string hurt = text;
        const std::size_t at = random() % text.size();
        if (round % 3 == 0) hurt.resize(at);
        if (round % 3 == 1)
          std::fill_n(hurt.begin() + static_cast<std::ptrdiff_t>(at), std::min<std::size_t>(4096, text.size() - at),
                      '\0');
        if (round % 3 == 2) hurt.erase(hurt.find('\n', at) == std::string::npos ? at : hurt.find('\n', at), 1);
        ASSERT_TRUE(files.put_file(path, hurt));
        for (const Check check : {Check::whole, Check::objects}) {
          DirectoryFeed feed(context, mine, check);
          Counter counter;
          const auto read = layout->read(feed, ref, {.history = true, .raw = true}, counter);
          ASSERT_TRUE(read) << path << " round " << round << ": " << read.error().text();
        }
      }
      ASSERT_TRUE(files.put_file(path, text));
    }
    EXPECT_FALSE(refs.empty());
  }
}

}  // namespace
}  // namespace holdfast::corpus
