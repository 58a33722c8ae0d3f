// Every log of the corpus, cut at each record and at random places, with a block
// of NUL bytes, and with lines glued: every record that is intact is handed out,
// and no reader fails. Needs HOLDFAST_CORPUS.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "disk/sim_file_system.h"
#include "index/directory_feed.h"
#include "layout/layout.h"

namespace holdfast::corpus {
namespace {

namespace fs = std::filesystem;

struct Line {
  std::size_t start = 0, end = 0;  // without its newline
  bool operator==(const Line&) const = default;
};

struct Client {
  const char* layout;
  const char* folder;
  const char* root;
};
const Client kClients[] = {
    {"claude-code", "claude-code", ".claude"}, {"codex", "codex", ".codex"}, {"gemini", "gemini", ".gemini"},
    {"copilot", "copilot", ".copilot"},        {"qwen", "qwen", ".qwen"},    {"pi", "pi", ".pi/agent"}};

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
    if (::getenv("HOLDFAST_CORPUS") == nullptr) GTEST_SKIP() << "HOLDFAST_CORPUS is not set";
    ASSERT_TRUE(files.put_file("/s/log.jsonl", ""));
    auto opened = files.open_directory("/s", false);
    ASSERT_TRUE(opened);
    directory = std::move(*opened);
    roots["home"] = directory.get();
  }

  static fs::path corpus() { return ::getenv("HOLDFAST_CORPUS"); }

  // The records that the engine hands out of these bytes.
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

  void cut_everywhere(const std::string& text, const std::vector<Line>& lines, std::mt19937& random) {
    std::vector<std::size_t> places;
    for (const Line& line : lines) {
      for (const std::size_t at : {line.end, line.end + 1, line.end + 2}) places.push_back(std::min(at, text.size()));
    }
    for (int i = 0; i < 200; ++i) places.push_back(random() % (text.size() + 1));
    for (const std::size_t place : places) {
      std::vector<std::string> intact;
      for (const Line& line : lines) {
        if (line.end <= place) intact.push_back(text.substr(line.start, line.end - line.start));
      }
      ASSERT_EQ(records(text.substr(0, place)), intact) << "cut at " << place;
    }
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

TEST_F(JsonlDamage, EveryIntactRecordIsHandedOut) {
  std::mt19937 random(17);
  std::size_t logs = 0;
  for (const auto& entry : fs::recursive_directory_iterator(corpus())) {
    if (!entry.is_regular_file() || entry.path().extension() != ".jsonl") continue;
    const std::string text = read_text(entry.path());
    if (text.empty()) continue;
    SCOPED_TRACE(entry.path().string());
    const auto lines = lines_of(text);
    ++logs;
    cut_everywhere(text, lines, random);
    for (int i = 0; i < 4; ++i) blank_a_block(text, lines, random);
    for (int i = 0; i < 4; ++i) glue_two(text, lines, random);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(logs, 90u);
}

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
  for (const Client& client : kClients) {
    const Layout* layout = find_layout(client.layout);
    const fs::path from = corpus() / client.folder / client.root;
    if (layout == nullptr || !fs::exists(from)) continue;
    SCOPED_TRACE(client.layout);
    const std::string root = std::string("/") + client.layout;
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
        for (const Check check : {Check::whole, Check::framing}) {
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
