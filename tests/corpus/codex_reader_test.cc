// Codex: versions and shapes that the corpus does not contain.
#include <gtest/gtest.h>

#include "layout/codex/codex_layout.h"
#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {
namespace {

using Lines = std::vector<std::string>;

constexpr char kA[] = "0199a000-0000-7000-8000-0000000000a1";
constexpr char kB[] = "0199b000-0000-7000-8000-0000000000b2";
constexpr char kC[] = "0188c000-0000-4000-8000-0000000000c3";

TEST(CodexReader, ReadsVersion045) {
  MemoryFeed feed = fixture_feed(codex_layout(), "codex");
  EXPECT_TRUE(*codex_layout().recognise(feed));
  const auto readings = read_sessions(codex_layout(), feed);
  const Reading& reading = *readings.at(kA);
  EXPECT_EQ(script(reading),
            (Lines{"user injected: <user_instructions>\nBe brief.\n</user_instructions>",
                   "user injected: <environment_context>\n  <cwd>/home/dev/proj/alpha</cwd>\n</environment_context>",
                   "user typed: run the tests",
                   "assistant tool: [thinks **Looking**\n\nI should run make.] [call shell call_a1 "
                   "{\"command\":[\"make\",\"test\"]}] (40)",
                   "tool tool: [error call_a1 {\"output\":\"1 failed\\n\",\"metadata\":{\"exit_code\":2,"
                   "\"duration_seconds\":0.8}}]",
                   "assistant model: One test fails. (20)"}));
  const Session& session = reading.session;
  EXPECT_EQ(session.usage, (Usage{.input = 900, .output = 60, .cache_read = 1200, .reasoning = 16}));
  EXPECT_EQ(session.counts.user, 1);
  EXPECT_EQ(session.counts.assistant, 1);
  EXPECT_EQ(session.first_prompt, "run the tests");
  EXPECT_EQ(session.models, (Lines{"gpt-5-codex"}));
  EXPECT_EQ(session.project, "/home/dev/proj/alpha");
  EXPECT_EQ(session.git_branch, "main");
  EXPECT_EQ(session.created_at, "2025-10-01T10:00:00.000Z");
  EXPECT_EQ(session.pending, Pending::none);
  EXPECT_FALSE(session.archived);
}

TEST(CodexReader, ReadsVersion0129KilledDuringToolCall) {
  MemoryFeed feed = fixture_feed(codex_layout(), "codex");
  const auto readings = read_sessions(codex_layout(), feed);
  const Reading& reading = *readings.at(kB);
  const Lines said = script(reading);
  ASSERT_EQ(said.size(), 7u);
  EXPECT_EQ(said[0], "system injected: <permissions instructions>\nall\n</permissions instructions>");
  EXPECT_EQ(said[2], "user typed: say hello 👋\u2028and then sleep");
  EXPECT_EQ(said[3], "assistant model: Hello. (10)");
  EXPECT_EQ(said[5],
            "assistant tool: [call apply_patch call_b0 \"*** Begin Patch\\n*** End Patch\"] [call exec_command call_b1 "
            "{\"cmd\":\"sleep 100\"}] (25)");
  EXPECT_EQ(reading.session.usage.output, 35);
  EXPECT_EQ(reading.session.counts.tool_calls, 2);
  EXPECT_EQ(reading.session.counts.tool_results, 1);
  EXPECT_EQ(reading.session.pending, Pending::tool);
  EXPECT_EQ(reading.session.status, Status::interrupted);
  EXPECT_EQ(reading.session.title, "the last name");
}

TEST(CodexReader, ReadsUnwrappedItemsAndArchive) {
  MemoryFeed feed = fixture_feed(codex_layout(), "codex");
  const auto readings = read_sessions(codex_layout(), feed);
  const Reading& reading = *readings.at(kC);
  EXPECT_EQ(script(reading), (Lines{"user typed: hello from long ago", "assistant model: hello"}));
  EXPECT_TRUE(reading.session.archived);
  EXPECT_EQ(reading.session.git_branch, "old");
}

TEST(CodexReader, FindOpensNoRollout) {
  MemoryFeed feed = fixture_feed(codex_layout(), "codex");
  ASSERT_TRUE(codex_layout().find(feed, [](SessionRef) { return true; }));
  for (const Place& place : feed.asked) EXPECT_EQ(place.path, "session_index.jsonl");
}

TEST(CodexReader, DoesNotRecognizeAnotherAgentsStore) {
  MemoryFeed pi("home", {{"sessions/--home-dev--/2026_x.jsonl", "{}\n"}});
  EXPECT_FALSE(*codex_layout().recognise(pi));
  MemoryFeed nothing;
  EXPECT_FALSE(*codex_layout().recognise(nothing));
}

// ---- threads over several files, in paginated files as 0.166 writes them

std::string id(char c) { return std::string("0199c000-0000-7000-8000-00000000000") + c; }
std::string rollout(const std::string& time, const std::string& name) {
  return "sessions/2026/11/15/rollout-2026-11-15T" + time + "-" + name + ".jsonl";
}
std::string meta(int ordinal, const std::string& thread, const std::string& more = "") {
  return "{\"timestamp\":\"2026-11-15T01:00:00.000Z\",\"ordinal\":" + std::to_string(ordinal) +
         ",\"type\":\"session_meta\",\"payload\":{\"id\":\"" + thread + "\",\"cwd\":\"/p\"" + more + "}}\n";
}
std::string base(const std::string& thread, int ordinal, std::size_t offset) {
  return ",\"history_base\":{\"thread_id\":\"" + thread + "\",\"end_ordinal_exclusive\":" + std::to_string(ordinal) +
         ",\"end_byte_offset\":" + std::to_string(offset) + "}";
}
std::string said(int ordinal, const std::string& role, const std::string& text) {
  return "{\"timestamp\":\"2026-11-15T01:00:01.000Z\",\"ordinal\":" + std::to_string(ordinal) +
         ",\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"id\":\"m" + text + "\",\"role\":\"" + role +
         "\",\"content\":[{\"type\":\"input_text\",\"text\":\"" + text + "\"}]}}\n";
}

TEST(CodexReader, RewindsMarkAbandonedMessages) {
  const std::string a = id('a');
  const std::string first = meta(0, a) + said(1, "user", "one") + said(2, "assistant", "1");
  const std::string second = meta(3, a, base(a, 3, first.size())) + said(4, "user", "three");
  // The third file goes back to before the second one, into the first.
  const std::string third =
      meta(2, a, base(a, 2, (meta(0, a) + said(1, "user", "one")).size())) + said(3, "user", "four");
  MemoryFeed feed("home", {{rollout("01-00-00", a), first + said(3, "user", "two")},
                           {rollout("02-00-00", a + "_" + id('b')), second},
                           {rollout("03-00-00", a + "_" + id('c')), third}});
  const auto readings = read_sessions(codex_layout(), feed);
  ASSERT_EQ(readings.size(), 1u);
  EXPECT_EQ(script(*readings.at(a)),
            (Lines{"user typed: one", "assistant model abandoned: 1", "user typed abandoned: two",
                   "user typed abandoned: three", "user typed: four"}));
}

TEST(CodexReader, ForkReadsItsParentUpToTheFork) {
  const std::string a = id('a'), f = id('f'), g = id('0');
  const std::string parent = meta(0, a) + said(1, "user", "one") + said(2, "assistant", "1");
  const std::string fork = meta(3, f, base(a, 3, parent.size())) + said(4, "user", "forked");
  const std::string again = meta(5, g, base(f, 5, fork.size())) + said(6, "user", "forked again");
  std::map<std::string, std::string> files = {{rollout("01-00-00", a), parent + said(3, "user", "later")},
                                              {rollout("02-00-00", f), fork + said(5, "user", "later too")},
                                              {rollout("03-00-00", g), again}};
  {
    MemoryFeed feed("home", files);
    const auto readings = read_sessions(codex_layout(), feed, {.history = true});
    EXPECT_EQ(script(*readings.at(g)),
              (Lines{"user typed: one", "assistant model: 1", "user typed: forked", "user typed: forked again"}));
    EXPECT_EQ(readings.at(g)->session.parent->id, f);
    EXPECT_EQ(readings.at(g)->session.parent->kind, ParentKind::fork);
    EXPECT_TRUE(feed.findings.empty());
  }
  {  // the parent moved by some bytes: the ordinals still match
    auto shifted = files;
    shifted[rollout("01-00-00", a)].insert(0, "\n\n\n");
    shifted[rollout("02-00-00", f)].insert(0, "{}\n");
    MemoryFeed feed("home", shifted);
    const auto readings = read_sessions(codex_layout(), feed, {.history = true});
    EXPECT_EQ(readings.at(g)->messages.size(), 4u);
  }
  {  // without history, nothing of the parent is read
    MemoryFeed feed("home", files);
    const auto readings = read_sessions(codex_layout(), feed);
    EXPECT_EQ(script(*readings.at(f)), (Lines{"user typed: forked", "user typed: later too"}));
  }
  {  // a missing parent is reported, and hides nothing else
    files.erase(rollout("01-00-00", a));
    MemoryFeed feed("home", files);
    const auto readings = read_sessions(codex_layout(), feed, {.history = true});
    EXPECT_EQ(script(*readings.at(g)), (Lines{"user typed: forked", "user typed: forked again"}));
    ASSERT_FALSE(feed.findings.empty());
    EXPECT_EQ(feed.findings[0].kind, "missing_parent");
  }
}

TEST(CodexReader, CyclicHistoryEnds) {
  const std::string a = id('a'), b = id('b');
  MemoryFeed feed("home", {{rollout("01-00-00", a), meta(1, a, base(b, 1, 9999)) + said(2, "user", "a")},
                           {rollout("01-00-00", b), meta(1, b, base(a, 1, 9999)) + said(2, "user", "b")}});
  const auto readings = read_sessions(codex_layout(), feed, {.history = true});
  EXPECT_EQ(readings.at(a)->messages.back().text(), "a");
  ASSERT_FALSE(feed.findings.empty());
  EXPECT_EQ(feed.findings[0].kind, "circular_history");
}

TEST(CodexReader, ForkTotalsExcludeTheParent) {
  const std::string f = id('f');
  const auto total = [](int ordinal, int output) {
    return "{\"ordinal\":" + std::to_string(ordinal) +
           ",\"type\":\"event_msg\",\"payload\":{\"type\":\"token_count\",\"info\":{\"total_token_usage\":{"
           "\"input_tokens\":10,\"output_tokens\":" +
           std::to_string(output) + "}}}}\n";
  };
  MemoryFeed feed("home",
                  {{rollout("02-00-00", f), meta(3, f, base(id('a'), 3, 10)) + total(4, 500) + said(5, "user", "q") +
                                                said(6, "assistant", "a") + total(7, 507)}});
  EXPECT_EQ(read_sessions(codex_layout(), feed).at(f)->session.usage.output, 7);
}

TEST(CodexReader, DuplicateFileIsOneSession) {
  const std::string a = id('a');
  const std::string text = meta(0, a) + said(1, "user", "one");
  MemoryFeed feed("home", {{rollout("01-00-00", a), text},
                           {rollout("01-00-00", a) + ".zst", text},
                           {"archived_sessions/rollout-2026-11-15T01-00-00-" + a + ".jsonl", text}});
  const auto readings = read_sessions(codex_layout(), feed);
  EXPECT_EQ(readings.at(a)->session.counts.user, 1);
  EXPECT_EQ(readings.at(a)->ref.place.path, rollout("01-00-00", a));
}

TEST(CodexReader, ReadingCanStopAnywhere) {
  struct Stopping : Events {
    int left = 0;
    int after = 0;
    void facts(const SessionFacts&) override {}
    bool message(Message) override {
      if (left == 0) ++after;
      return left > 0 && --left > 0;
    }
  };
  MemoryFeed feed = fixture_feed(codex_layout(), "codex");
  const auto readings = read_sessions(codex_layout(), feed);
  for (int stop = 1; stop < 7; ++stop) {
    Stopping events;
    events.left = stop;
    ASSERT_TRUE(codex_layout().read(feed, readings.at(kB)->ref, {}, events));
    EXPECT_EQ(events.after, 0) << stop;
  }
}

}  // namespace
}  // namespace holdfast::corpus
