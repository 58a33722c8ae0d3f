#include "transfer/transcript_stream.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "disk/counting_file_system_testing.h"
#include "disk/real_testing.h"
#include "store/engine.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kId = "11111111-2222-4333-8444-555555555555";

class TranscriptStream : public testing::Test {
 protected:
  void claude(const std::string& log) {
    layout_ = "claude-code";
    write(place_ / "projects/-p" / (std::string(kId) + ".jsonl"), log);
  }
  void codex(const std::string& log) {
    layout_ = "codex";
    write(place_ / "sessions/2026/01/05" / ("rollout-2026-01-05T00-07-11-" + std::string(kId) + ".jsonl"), log);
  }

  std::shared_ptr<Store> open() {
    StoreOptions options;
    options.layout = layout_;
    options.roots[""] = place_.string();
    auto opened = Store::open({}, files_, options);
    EXPECT_TRUE(opened) << opened.error().text();
    return std::move(*opened);
  }

  struct Streamed {
    std::string text;
    bool told = true;
    std::uint64_t before = 0;  // bytes read before the first piece
  };
  // `most`: the reader leaves after this many bytes.
  Streamed stream(const TextStyle& style, const TranscriptQuery& query = {}, std::size_t most = SIZE_MAX) {
    const auto store = open();
    const auto files = engine_of(*store);
    const Context context;
    DirectoryFeed feed = (*files)->looking(context);
    const auto ref = (*files)->resolve(context, feed, kId);
    EXPECT_TRUE(ref) << ref.error().text();
    files_.bytes_read = 0;
    Streamed streamed;
    const auto told = stream_transcript(context, **files, *ref, query, style, [&](std::string_view piece) {
      if (streamed.text.empty()) streamed.before = files_.bytes_read;
      streamed.text += piece;
      return streamed.text.size() < most;
    });
    EXPECT_TRUE(told) << told.error().text();
    streamed.told = told && *told;
    return streamed;
  }

  std::string whole(const TextStyle& style, const TranscriptQuery& query = {}) {
    const auto read = open()->read({}, kId, query);
    EXPECT_TRUE(read) << read.error().text();
    return transcript_text(*read, style);
  }

  bool branch_has(std::int64_t number) {
    const auto read = open()->read({}, kId, {});
    EXPECT_TRUE(read) << read.error().text();
    return has_message(*read, number);
  }

  CountingFileSystem files_;

 private:
  static void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  TemporaryDirectory scratch_;
  fs::path place_ = scratch_.path();
  std::string layout_;
};

std::string said(const std::string& uuid, const std::string& parent, const std::string& inside,
                 const std::string& more = "") {
  return R"({"parentUuid":)" + (parent.empty() ? "null" : "\"" + parent + "\"") + more + inside + R"(,"uuid":")" +
         uuid + R"(","timestamp":"2026-01-05T00:07:11.000Z","cwd":"/p","sessionId":")" + kId + "\"}\n";
}
std::string prompt(const std::string& text) {
  return R"(,"type":"user","message":{"role":"user","content":")" + text + "\"}";
}
std::string answer(const std::string& text) {
  return R"(,"type":"assistant","message":{"id":"r","role":"assistant","model":"m","content":[{"type":"text","text":")" +
         text + R"("}],"usage":{"input_tokens":1,"output_tokens":5}})";
}
std::string calls(const std::string& id) {
  return R"(,"type":"assistant","message":{"id":"c)" + id +
         R"(","role":"assistant","model":"m","content":[{"type":"tool_use","id":")" + id +
         R"(","name":"Bash","input":{"command":"ls )" + id + R"("}}]})";
}
std::string gives(const std::string& id, const std::string& text) {
  return R"(,"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":")" + id +
         R"(","content":")" + text + R"("}]})";
}

// A tree with forks, rewinds, sub-agents, parallel calls, calls without results,
// results without calls, missing parents, and torn lines.
class RandomTree {
 public:
  // One call in `reuse` has the id of an earlier one.
  RandomTree(unsigned seed, std::size_t padding, unsigned reuse = 30)
      : random_(seed), padding_(padding), reuse_(reuse) {}

  std::string log(std::size_t records) {
    std::string text;
    for (std::size_t i = 0; i < records; ++i) text += damaged(record(i));
    return text;
  }

 private:
  bool one_in(unsigned count) { return random_() % count == 0; }
  std::string any(const std::vector<std::string>& all) { return all.empty() ? "" : all[random_() % all.size()]; }

  std::string record(std::size_t i) {
    const std::string uuid = one_in(60) && !ids_.empty() ? any(ids_) : "id-" + std::to_string(i);
    if (one_in(25)) return R"({"type":"last-prompt","leafUuid":")" + (one_in(4) ? "0000-00" : any(ids_)) + "\"}\n";
    std::string parent = ids_.empty() ? "" : ids_.back();
    if (one_in(8)) parent = any(ids_);
    if (one_in(50)) parent = "gone-" + std::to_string(i);
    if (one_in(60)) parent = "";
    const std::string side = one_in(12) ? R"(,"isSidechain":true)" : R"(,"isSidechain":false)";
    const std::string text = "text " + std::to_string(i) + " " + std::string(random_() % (padding_ + 1), 'x');
    std::string inside;
    switch (random_() % 5) {
      case 0: inside = prompt(text); break;
      case 1: inside = answer(text); break;
      case 2:
        calls_.push_back(one_in(reuse_) ? any(calls_) : "call-" + std::to_string(i));
        inside = calls(calls_.back());
        break;
      case 3: inside = gives(one_in(10) ? "nobody-" + std::to_string(i) : any(calls_), text); break;
      default: inside = R"(,"type":"system","subtype":"info","content":")" + text + "\""; break;
    }
    ids_.push_back(uuid);
    return said(uuid, parent, inside, side);
  }

  std::string damaged(std::string line) {
    if (one_in(50)) return line.substr(0, line.size() / 2) + "\n";
    if (one_in(60)) line.pop_back();  // glued to the next
    if (one_in(60)) line.replace(line.find(":null") == std::string::npos ? 2 : line.find(":null"), 5, ":nuhl");
    return line;
  }

  std::mt19937 random_;
  std::size_t padding_;
  unsigned reuse_;
  std::vector<std::string> ids_, calls_;
};

const std::vector<TextStyle> kStyles = {
    {.totals_last = true},
    {.colour = true, .width = 40, .tools = true, .thinking = true, .system = true, .totals_last = true},
    {.head = false},
};

// A line that only looks like JSON may change the branch: then the right text follows a notice.
std::string right_part(const std::string& streamed) {
  const std::size_t notice = streamed.find("(the text above is not the active branch");
  return notice == std::string::npos ? streamed : streamed.substr(streamed.find("\n\n", notice) + 2);
}

TEST_F(TranscriptStream, MatchesFullReadOnRandomTrees) {
  int taken_back = 0;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    const std::size_t records = 5 + seed % 90;
    claude(RandomTree(seed, 20).log(records));
    for (const TextStyle& style : kStyles) {
      for (const std::string branch : {"", "all", "id-7"}) {
        if (!open()->read({}, kId, {.branch = branch})) continue;  // the damage destroyed that message
        const std::string streamed = stream(style, {.branch = branch}).text;
        const std::string right = right_part(streamed);
        taken_back += right.size() < streamed.size() ? 1 : 0;
        ASSERT_EQ(right, whole(style, {.branch = branch})) << "seed " << seed << ", branch " << branch;
      }
    }
  }
  EXPECT_LT(taken_back, 30) << "of 1350";
}

TEST_F(TranscriptStream, MatchesFullReadOnLargeLogs) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    claude(RandomTree(seed, 4000).log(1500));  // about 2 MB
    ASSERT_EQ(stream(kStyles[0]).text, whole(kStyles[0])) << "seed " << seed;
  }
}

TEST_F(TranscriptStream, MatchesFullReadWithReusedIds) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    claude(RandomTree(seed, 400, 2).log(1500));
    ASSERT_EQ(stream(kStyles[0]).text, whole(kStyles[0])) << "seed " << seed;
    for (const std::int64_t at : {11, 700}) {
      const TextStyle style{.totals_last = true, .at = at};
      const Streamed streamed = stream(style);
      ASSERT_EQ(right_part(streamed.text), streamed.told ? whole(style) : "") << "seed " << seed << " at " << at;
    }
  }
}

TEST_F(TranscriptStream, PrintsOnlyNeighborsOfMessage) {
  int left_to_read = 0;
  for (unsigned seed = 200; seed <= 240; ++seed) {
    claude(RandomTree(seed, 20).log(40));
    for (const std::int64_t at : {0, 11, 39, 500}) {
      const TextStyle style{.totals_last = true, .at = at};
      const Streamed streamed = stream(style);
      ASSERT_EQ(right_part(streamed.text), streamed.told ? whole(style) : "") << "seed " << seed << " at " << at;
      ASSERT_TRUE(!streamed.told || branch_has(at)) << "seed " << seed << " at " << at;
      left_to_read += !streamed.told && branch_has(at) ? 1 : 0;  // lines that were glued together
    }
  }
  EXPECT_LT(left_to_read, 10) << "of 164";
}

TEST_F(TranscriptStream, StartsWithTheLastTitle) {
  const std::string title = R"({"type":"custom-title","customTitle":"Called so later"})"
                            "\n";
  claude(said("a", "", prompt("one")) + said("b", "a", answer("two")) + title);
  const std::string text = stream(kStyles[0]).text;
  EXPECT_TRUE(text.starts_with("Called so later\nclaude-code · /p · 2026-01-05 00:07\n")) << text;
  EXPECT_TRUE(text.ends_with("\nactive · m · 1 prompt, 1 answer · 5 tokens out\n")) << text;
  EXPECT_EQ(text, whole(kStyles[0]));
}

// The first prompt of a Codex log is printed after a few records were read.
TEST_F(TranscriptStream, StartsPrintingBeforeReadingAll) {
  std::string log = R"({"timestamp":"2026-01-05T00:07:11Z","type":"session_meta","payload":{"id":")" +
                    std::string(kId) + R"(","timestamp":"2026-01-05T00:07:11Z","cwd":"/p","cli_version":"0.166.0"}})" +
                    "\n";
  const auto item = [](const std::string& role, const std::string& kind, const std::string& text) {
    return R"({"timestamp":"2026-01-05T00:07:12Z","type":"response_item","payload":{"type":"message","role":")" + role +
           R"(","content":[{"type":")" + kind + R"(","text":")" + text + "\"}]}}\n";
  };
  for (int i = 0; i < 4000; ++i) {
    log += item("user", "input_text", "prompt " + std::to_string(i));
    log += item("assistant", "output_text", std::string(1000, 'a'));
  }
  codex(log);
  const Streamed streamed = stream(kStyles[0]);
  EXPECT_EQ(streamed.text, whole(kStyles[0]));
  EXPECT_NE(streamed.text.find("prompt 3999"), std::string::npos);
  EXPECT_LT(streamed.before, log.size() / 8);
  // Reading stops when the reader leaves.
  stream(kStyles[0], {}, 1000);
  EXPECT_LT(files_.bytes_read, log.size() / 8);
}

// A call that never got its result does not delay what follows.
TEST_F(TranscriptStream, MissingResultIsSearchedOnce) {
  std::string log = said("a", "", prompt("do it")) + said("b", "a", calls("lost"));
  std::string before = "b";
  for (int i = 0; i < 3000; ++i) {
    const std::string id = "m" + std::to_string(i);
    log += said(id, before, answer(std::string(1000, 'x')));
    before = id;
  }
  claude(log);
  const Streamed streamed = stream(kStyles[0], {}, 1);
  EXPECT_NE(streamed.text.find("do it"), std::string::npos);
  EXPECT_LT(files_.bytes_read, log.size() + log.size() / 8) << "one cheap reading, and the beginning of another";
  EXPECT_NE(stream(kStyles[0]).text.find("(no result)"), std::string::npos);
  EXPECT_EQ(stream(kStyles[0]).text, whole(kStyles[0]));
}

// A line that looks like JSON but is not can hide the branch from the cheap
// pass. The output is still right, with a notice.
TEST_F(TranscriptStream, PrintsNoticeIfBranchWasWrong) {
  const std::string first = said("a", "", prompt("one")) + said("b", "a", answer("left"));
  const std::string bad = said("c", "a", prompt("two\x01"));
  claude(first + said("x", "", prompt("other root")) + bad);
  const std::string streamed = stream({.head = false}).text, read = whole({.head = false});
  EXPECT_NE(streamed.find("is not the active branch"), std::string::npos) << streamed;
  EXPECT_TRUE(streamed.ends_with(read)) << streamed;
}

}  // namespace
}  // namespace holdfast::inline v1
