// What a hostile or broken log may contain: endless nesting, endless numbers,
// half characters, lines of 64 MiB, parents in a circle, a million records.
// Readers end soon, in bounded memory, and the neighbors are read.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "index/directory_feed.h"
#include "layout/layout.h"
#include "model/tally.h"
#include "tests/sanitized_testing.h"

namespace holdfast::corpus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChain = kSanitized ? 100'000 : 1'000'000;

constexpr const char* kId = "0ffbc846-e910-42c3-a401-610bc1bf1397";

// A log of each agent: its path, and one record of it with `text` (a JSON
// string with its quotes) and with `number` for its figures.
struct Dialect {
  const char* layout;
  std::string path;
  std::string header;  // before the records; may be empty
  std::function<std::string(const std::string& id, const std::string& parent, const std::string& text,
                            const std::string& number)>
      record;
};

std::string link(const std::string& parent) { return parent.empty() ? "null" : "\"" + parent + "\""; }

std::vector<Dialect> dialects() {
  const std::string id = kId;
  const std::string time = R"("timestamp":"2026-11-15T01:00:00.000Z")";
  return {{"claude-code", "projects/-a/" + id + ".jsonl", "",
           [=](const std::string& name, const std::string& parent, const std::string& text, const std::string& number) {
             return R"({"parentUuid":)" + link(parent) + R"(,"type":"assistant","message":{"id":"msg_)" + name +
                    R"(","role":"assistant","model":"m","content":[{"type":"text","text":)" + text +
                    R"(}],"usage":{"input_tokens":)" + number + R"(,"output_tokens":1}},"uuid":")" + name + "\"," +
                    time + "}";
           }},
          {"codex", "sessions/2026/11/15/rollout-2026-11-15T01-00-00-" + id + ".jsonl",
           R"({)" + time + R"(,"type":"session_meta","payload":{"id":")" + id +
               R"(","cwd":"/a"}})"
               "\n",
           [=](const std::string& name, const std::string&, const std::string& text, const std::string& number) {
             return "{" + time + R"(,"type":"response_item","payload":{"type":"message","id":")" + name +
                    R"(","role":"assistant","content":[{"type":"output_text","text":)" + text + R"(}],"n":)" + number +
                    "}}";
           }},
          {"gemini", "tmp/alpha/chats/session-2026-11-15T01-00-0ffbc846.jsonl",
           R"({"sessionId":")" + id +
               R"(","projectHash":"x","startTime":"2026-11-15T01:00:00.000Z","kind":"main"})"
               "\n",
           [=](const std::string& name, const std::string&, const std::string& text, const std::string& number) {
             return R"({"id":")" + name + "\"," + time + R"(,"type":"gemini","content":)" + text +
                    R"(,"tokens":{"input":)" + number + R"(,"output":1},"model":"m"})";
           }},
          {"qwen", "projects/-a/chats/" + id + ".jsonl", "",
           [=](const std::string& name, const std::string& parent, const std::string& text, const std::string& number) {
             return R"({"uuid":")" + name + R"(","parentUuid":)" + link(parent) + R"(,"sessionId":")" + id + "\"," +
                    time + R"(,"type":"assistant","model":"m","message":{"role":"model","parts":[{"text":)" + text +
                    R"(}]},"usageMetadata":{"promptTokenCount":)" + number + R"(,"candidatesTokenCount":1}})";
           }},
          {"pi", "sessions/--a--/2026-11-15T01-00-00-000Z_" + id + ".jsonl",
           R"({"type":"session","version":3,"id":")" + id + "\"," + time +
               R"(,"cwd":"/a"})"
               "\n",
           [=](const std::string& name, const std::string& parent, const std::string& text, const std::string& number) {
             return R"({"type":"message","id":")" + name + R"(","parentId":)" + link(parent) + "," + time +
                    R"(,"message":{"role":"assistant","model":"m","responseId":"r)" + name +
                    R"(","content":[{"type":"text","text":)" + text + R"(}],"usage":{"input":)" + number +
                    R"(,"output":1},"stopReason":"stop"}})";
           }},
          {"copilot", "session-state/" + id + "/events.jsonl",
           R"({"type":"session.start","data":{"sessionId":")" + id + R"("},"id":"e0",)" + time +
               R"(,"parentId":null})"
               "\n",
           [=](const std::string& name, const std::string& parent, const std::string& text, const std::string& number) {
             return R"({"type":"assistant.message","data":{"messageId":"msg_)" + name + R"(","model":"m","content":)" +
                    text + R"(,"n":)" + number + R"(},"id":")" + name + "\"," + time + R"(,"parentId":)" +
                    link(parent) + "}";
           }}};
}

std::size_t resident_mib() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * 4096 >> 20;
}

// Counts answers, and measures the memory of this process meanwhile.
struct Watcher : Events {
  Tally tally;
  std::size_t messages = 0, most = 0;
  void facts(const SessionFacts& facts) override { tally.facts(facts); }
  bool message(Message message) override {
    if (++messages % 1024 == 1) most = std::max(most, resident_mib());
    return tally.message(std::move(message));
  }
};

class ReaderLimits : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "holdfast-limits-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    all = dialects();
    fs::create_directories((folder / dialect().path).parent_path());
  }
  void TearDown() override { fs::remove_all(folder); }

  const Dialect& dialect() const { return all[GetParam()]; }
  std::ofstream log() const {
    std::ofstream out(folder / dialect().path, std::ios::binary);
    out << dialect().header;
    return out;
  }
  std::string record(const std::string& id, const std::string& parent, const std::string& text = "\"said\"",
                     const std::string& number = "1") const {
    return dialect().record(id, parent, text, number) + "\n";
  }

  // Reads in both ways of the engine: everything, and what `ls` needs.
  void read(const std::function<void(const Watcher&, const Session&)>& check) {
    const Layout* const layout = find_layout(dialect().layout);
    ASSERT_NE(layout, nullptr);
    auto directory = real_file_system().open_directory(folder.string(), false);
    ASSERT_TRUE(directory);
    const RootDirectories roots{{std::string(layout->roots()[0].name), directory->get()}};
    for (const bool whole : {true, false}) {
      SCOPED_TRACE(whole ? "whole" : "for ls");
      DirectoryFeed feed(context, roots, whole ? Check::whole : Check::objects);
      std::vector<SessionRef> refs;
      ASSERT_TRUE(layout->find(feed, [&](SessionRef ref) {
        refs.push_back(std::move(ref));
        return true;
      }));
      ASSERT_EQ(refs.size(), 1u);
      Watcher watcher;
      const auto done = layout->read(feed, refs[0], {.whole = whole}, watcher);
      ASSERT_TRUE(done) << done.error().text();
      Session session;
      watcher.tally.finish(session);
      check(watcher, session);
    }
  }

  Context context;
  fs::path folder;
  std::vector<Dialect> all;
};

TEST_P(ReaderLimits, ExcessiveNestingHidesNoOtherRecord) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const std::string open = std::string(100'000, '[');
  log() << record("a", "") << record("b", "a", deep) << record("c", "a", open)
        << record("d", "a", R"({"a":)" + deep + "}") << record("e", "a");
  read([](const Watcher&, const Session& session) { EXPECT_GE(session.counts.assistant, 2) << "the neighbours"; });
}

TEST_P(ReaderLimits, HugeNumbersDoNotOverflow) {
  log() << record("a", "") << record("b", "a", "\"x\"", std::string(100'000, '9'))
        << record("c", "b", "\"x\"", "1e999999") << record("d", "c", "\"x\"", "-1e308")
        << record("e", "d", "\"x\"", "9223372036854775807") << record("f", "e", "\"x\"", "9223372036854775807");
  read([](const Watcher&, const Session& session) {
    EXPECT_GE(session.counts.assistant, 6);
    EXPECT_GE(session.usage.input, 0) << "a sum that went over";
  });
}

TEST_P(ReaderLimits, UnpairedSurrogatesAreRead) {
  log() << record("a", "", R"("\ud800 and \udfff\ud800\u0041 \u0000")") << record("b", "a", "\"\xED\xA0\x80 raw\"")
        << record("c", "b");
  read([](const Watcher&, const Session& session) { EXPECT_EQ(session.counts.assistant, 3); });
}

TEST_P(ReaderLimits, CyclicParentsAreRead) {
  log() << record("a", "c") << record("b", "a") << record("c", "b") << record("d", "d") << record("e", "gone");
  read([](const Watcher&, const Session& session) { EXPECT_EQ(session.counts.assistant, 5); });
}

TEST_P(ReaderLimits, LineOver64MibHidesNoOther) {
  const std::size_t limit = std::size_t{64} << 20;
  {
    std::ofstream out = log();
    out << record("a", "") << record("b", "a", "\"" + std::string(limit - 4096, 'x') + "\"");
    out << record("c", "b", "\"" + std::string(limit + 4096, 'x') + "\"") << record("d", "b");
  }
  read([](const Watcher&, const Session& session) {
    EXPECT_EQ(session.counts.assistant, 3) << "one is over the limit, and hides no other";
  });
}

TEST_P(ReaderLimits, LongChainUsesBoundedMemory) {
  const std::size_t count = dialect().layout == std::string_view("claude-code") ? kChain : kChain / 8;
  {
    std::ofstream out = log();
    std::string parent;
    for (std::size_t n = 0; n < count; ++n) {
      std::string id = "m" + std::to_string(n);
      out << record(id, parent);
      parent = std::move(id);
    }
  }
  const std::size_t before = resident_mib();
  read([&](const Watcher& watcher, const Session& session) {
    EXPECT_EQ(session.counts.assistant, static_cast<std::int64_t>(count));
    EXPECT_LT(watcher.most, before + 256 + count / 4096) << "some bytes a message, not its text";
  });
}

std::string name_of(const testing::TestParamInfo<std::size_t>& info) {
  std::string name = dialects()[info.param].layout;
  std::erase(name, '-');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Of, ReaderLimits, testing::Range<std::size_t>(0, 6), name_of);

}  // namespace
}  // namespace holdfast::corpus
