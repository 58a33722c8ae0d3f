// Checks search, with its filters, sieves and threads, against a slow reference: every
// message is read whole and matched with RE2, over generated stores and queries.
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "disk/real_testing.h"
#include "find/search.h"
#include "model/model_json.h"
#include "text/json_string.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;
using Random = std::mt19937_64;

const std::vector<std::string> kWords = {"alpha",
                                         "Beta",
                                         "session",
                                         "task",
                                         "Ma\u00DFe",
                                         "\u00DCbung",
                                         "\u4E2D\u6587",
                                         "\"quoted\"",
                                         "a/b/c",
                                         "x\ny",
                                         "\\n",
                                         "turn",
                                         "aborted",
                                         "K\u017F",
                                         "\u212Aey",
                                         "gamma",
                                         "\u041F\u0440\u0438\u0432\u0435\u0442",
                                         "<tag>",
                                         "1.5",
                                         "tab\there"};

std::string token(Random& random, const std::string& text) {
  std::string out;
  append_json_string(out, text);
  if (random() % 3 != 0) return out;
  // Spelled by a writer that keeps to ASCII.
  std::string ascii;
  for (std::size_t at = 0; at < out.size();) {
    const auto lead = static_cast<unsigned char>(out[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 1) {
      ascii += out[at++];
      continue;
    }
    char32_t c = lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) c = c << 6 | (static_cast<unsigned char>(out[at + i]) & 0x3FU);
    char digits[8];
    std::snprintf(digits, sizeof digits, "\\u%04x", static_cast<unsigned>(c));
    ascii += digits;
    at += length;
  }
  return ascii;
}

// Constant while results are compared: whether the last line of a file is still being written or was cut
// off depends on the time.
class StillClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override { return at; }
  std::chrono::steady_clock::time_point ticks() const override { return system_clock().ticks(); }
  void sleep(std::chrono::nanoseconds time) const override { system_clock().sleep(time); }
  void set(std::chrono::nanoseconds ahead = {}) { at = system_clock().now() + ahead; }

 private:
  std::chrono::system_clock::time_point at = system_clock().now();
};

struct SearchOracle : testing::TestWithParam<const char*> {
  SearchOracle() { context.clock = &clock; }
  bool claude() const { return std::string_view(GetParam()) == "claude-code"; }

  static std::string words(Random& random, std::size_t most) {
    std::string text;
    for (auto left = 1 + random() % most; left > 0; --left) {
      std::string word = kWords[random() % kWords.size()];
      if (random() % 4 == 0)
        std::ranges::transform(word, word.begin(),
                               [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
      text += word + (random() % 3 == 0 ? "" : " ");
    }
    return text;
  }
  std::string line(Random& random) {
    const std::string n = std::to_string(random() % 1'000'000'000);
    const std::string time = R"("timestamp":"2026-11-1)" + std::to_string(random() % 9) + R"(T08:00:00.000Z")";
    const std::string text = token(random, words(random, 6));
    if (!claude()) {
      const std::string item = R"({)" + time + R"(,"type":"response_item","payload":)";
      switch (random() % 10) {
        case 7: return R"({)" + time + R"(,"type":"event_msg","payload":{"type":"task_started"}})";
        case 8: return R"({)" + time + R"(,"type":"event_msg","payload":{"type":"task_complete"}})";
        case 9:
          return R"({)" + time + R"(,"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":)" +
                 R"({"input_tokens":)" + std::to_string(random() % 1000) + R"(,"output_tokens":)" +
                 std::to_string(random() % 1000) + "}}}}";
        case 0:
          return item + R"({"type":"message","role":"user","content":[{"type":"input_text","text":)" + text + "}]}}";
        case 1:
          return item + R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":)" + text +
                 "}]}}";
        case 2: return item + R"({"type":"reasoning","summary":[{"type":"summary_text","text":)" + text + "}]}}";
        case 3: {
          const std::string inner = R"({"cmd":)" + text + "}";
          return item + R"({"type":"function_call","name":"shell","call_id":"c)" + n + R"(","arguments":)" +
                 token(random, inner) + "}}";
        }
        case 4: return item + R"({"type":"function_call_output","call_id":"c)" + n + R"(","output":)" + text + "}}";
        case 5:
          return R"({)" + time + R"(,"type":"event_msg","payload":{"type":"agent_message","message":)" + text + "}}";
        default:
          return R"({)" + time + R"(,"type":"event_msg","payload":{"type":"turn_aborted","reason":)" + text + "}}";
      }
    }
    const std::string around = R"("uuid":"u)" + n + R"(","sessionId":"s",)" + time + R"(,"cwd":"/home/dev")";
    switch (random() % 6) {
      case 0: return R"({"type":"user",)" + around + R"(,"message":{"role":"user","content":)" + text + "}}";
      case 1:
        return R"({"type":"user",)" + around +
               R"(,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t)" + n +
               R"(","content":)" + text + R"(}]},"toolUseResult":{"stdout":)" + text + "}}";
      case 2:
        return R"({"type":"assistant",)" + around + R"(,"message":{"role":"assistant","id":"m)" + n +
               R"(","model":"m","content":[{"type":"thinking","thinking":)" + text +
               R"(,"signature":"alphaBetasession"}]}})";
      case 3:
        return R"({"type":"assistant",)" + around + R"(,"message":{"role":"assistant","id":"m)" + n +
               R"(","model":"m","content":[{"type":"tool_use","id":"t)" + n + R"(","name":"Bash","input":{"gamma":)" +
               text + R"(,"n":1.5}}]}})";
      case 4: return R"({"type":"summary","summary":)" + text + "}";
      default:
        return R"({"type":"assistant",)" + around + R"(,"message":{"role":"assistant","id":"m)" + n +
               R"(","model":"m","content":[{"type":"text","text":)" + text + R"(},{"type":"text","text":)" +
               token(random, words(random, 2)) + "}]}}";
    }
  }
  fs::path new_log(Random& random) {
    const std::string n = std::to_string(10'000'000 + random() % 80'000'000);
    fs::path path = claude() ? fs::path(place.path("home")) / "projects" / "-home-dev" / (n + ".jsonl")
                             : fs::path(place.path("home")) / "sessions" / "2026" / "11" / "15" /
                                   ("rollout-2026-11-15T08-00-00-" + n + "-0000-7000-8000-000000000000.jsonl");
    fs::create_directories(path.parent_path());
    if (!claude()) {
      std::ofstream(path) << R"({"timestamp":"2026-11-15T08:00:00.000Z","type":"session_meta","payload":{"id":")" << n
                          << R"(-0000-7000-8000-000000000000","cwd":"/home/dev"}})" << "\n";
    }
    return path;
  }
  void append(Random& random, const fs::path& path, int lines) {
    std::ofstream file(path, std::ios::app | std::ios::binary);
    std::string last;
    for (; lines > 0; --lines) {
      std::string one = line(random);
      if (!last.empty() && random() % 12 == 0) one = last;  // stored twice
      if (random() % 40 == 0) file << one.substr(0, one.size() / 2) << "\n";
      if (random() % 60 == 0) file << std::string(3, '\0') << one << "\n";
      if (random() % 60 == 0) {
        // Quotes and brackets are balanced; only the grammar is wrong.
        std::string odd = line(random);
        odd.replace(odd.find("\":"), 2, "\";");
        file << odd << "\n";
      }
      file << one << "\n";
      last = one;
    }
    if (random() % 10 == 0)
      file << line(random).substr(0, 40);
    else if (random() % 10 == 0)
      file << line(random);
  }
  std::shared_ptr<Store> open(bool cached) {
    StoreOptions options;
    options.layout = GetParam();
    options.roots[""] = place.path("home");
    if (cached) options.cache = place.path("cache");
    auto store = Store::open({}, real_file_system(), options);
    EXPECT_TRUE(store) << store.error().text();
    return store ? *store : nullptr;
  }

  std::string rows(bool cached) {
    SessionFilter filter;
    filter.inner = true;
    const SessionList list = open(cached)->list(context, filter).value();
    JsonWriter json;
    json.begin_array();
    for (const Session& session : list.sessions) write_session(json, session);
    return json.end_array().take();
  }

  using Places = std::vector<std::string>;
  Places slow(const SearchQuery& query) {
    Places all;
    std::vector<std::unique_ptr<RE2>> patterns;
    for (const std::string& word : query.words) {
      RE2::Options options;
      options.set_literal(!query.regex);
      options.set_case_sensitive(query.match_case);
      patterns.push_back(std::make_unique<RE2>(word, options));
    }
    const auto store = open(false);
    SearchableTexts said;
    const SessionList list = store->list(context).value();
    for (const Session& session : list.sessions) {
      const auto transcript = store->read(context, session.id, {.history = false, .branch = "all"});
      if (!transcript) continue;
      std::set<std::string> seen;
      for (const Message& message : transcript->messages) {
        const auto& texts = said.of(message, query.in);
        const bool hit = std::ranges::all_of(patterns, [&](const auto& pattern) {
          return std::ranges::any_of(texts, [&](std::string_view text) {
            return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *pattern);
          });
        });
        if (!hit || (!message.id.empty() && !seen.insert(message.id).second)) continue;
        all.push_back(session.id + ":" + std::to_string(message.ordinal));
      }
    }
    return all;
  }
  Places quick(SearchQuery query, bool cached, SearchCounts& counts) {
    Places all;
    const Matcher matcher = Matcher::make(query.words, query.regex, query.match_case).value();
    const auto store = open(cached);
    Search search(context, query, matcher);
    search.add(search.prepare(*store).value());
    counts = search
                 .run([&](const SearchHit& hit) {
                   return all.push_back(hit.session + ":" + std::to_string(hit.ordinal)), true;
                 })
                 .value();
    return all;
  }

  TemporaryDirectory place;
  StillClock clock;
  Context context = {};
};

TEST_P(SearchOracle, MatchesSlowSearch) {
  Random random(static_cast<std::uint64_t>(::testing::UnitTest::GetInstance()->random_seed()) + 11);
  std::vector<fs::path> logs;
  for (int i = 0; i < 12; ++i) append(random, logs.emplace_back(new_log(random)), 1 + static_cast<int>(random() % 20));
  std::size_t found = 0;
  const std::chrono::hours ahead(random() % 2);  // an hour later, no file counts as being written
  for (int round = 0; round < 150; ++round) {
    if (random() % 2 == 0) append(random, logs[random() % logs.size()], static_cast<int>(random() % 3));
    if (random() % 15 == 0) append(random, logs.emplace_back(new_log(random)), 5);
    if (random() % 30 == 0) fs::resize_file(logs[random() % logs.size()], 200 + random() % 300);
    clock.set(ahead);
    SearchQuery query;
    query.regex = random() % 4 == 0;
    query.match_case = random() % 5 == 0;
    for (auto left = 1 + random() % 2; left > 0; --left) {
      std::string word = random() % 3 == 0 ? words(random, 2) : kWords[random() % kWords.size()];
      if (random() % 5 == 0) word = word.substr(0, 3);
      while (!word.empty() && (static_cast<unsigned char>(word.back()) & 0x80) != 0) word.pop_back();
      if (query.regex) {
        const char* const patterns[] = {"al(pha|PHA)", "se[s\u017F]+ion", "t.rn ab",   "be(ta)?",
                                        "\\bkey\\b",   "quo\\w+",         "a/b|gamma", "."};
        word = patterns[random() % std::size(patterns)];
      }
      if (word.empty()) word = "alpha";
      query.words.push_back(word);
    }
    if (random() % 4 == 0)
      query.in = {random() % 2 == 0, random() % 2 == 0, random() % 2 == 0, random() % 2 == 0, true};
    // The index is built by a list, or by a search that builds the filters during the same read.
    const bool search_first = random() % 2 == 0;
    if (random() % 10 == 0) fs::remove_all(place.path("cache"));
    if (!search_first) {
      ASSERT_EQ(rows(true), rows(false)) << "round " << round;
    }
    const Places want = slow(query);
    SearchCounts counts;
    const std::string about =
        query.words[0] + " | " + query.words.back() + (query.regex ? " regex" : "") + " round " + std::to_string(round);
    for (const bool cached : {false, true, true}) {
      ASSERT_EQ(quick(query, cached, counts), want) << about << (cached ? " cached" : "");
      ASSERT_EQ(counts.hits, want.size());
      query.count_only = true;
      ASSERT_TRUE(quick(query, cached, counts).empty());
      ASSERT_EQ(counts.hits, want.size()) << about;
      query.count_only = false;
    }
    if (want.size() > 2) {
      query.limit = 1 + random() % want.size();
      const Places some = quick(query, true, counts);
      ASSERT_EQ(some, Places(want.begin(), want.begin() + static_cast<std::ptrdiff_t>(query.limit))) << about;
      ASSERT_EQ(counts.truncated, query.limit < want.size());
    }
    if (search_first) {
      ASSERT_EQ(rows(true), rows(false)) << "round " << round;
    }
    found += want.size();
  }
  EXPECT_GT(found, 300u) << "a test that finds little shows little";
}

// A log that is read incrementally gives the same row as one that is read whole, wherever reading stopped.
TEST_P(SearchOracle, IncrementalReadGivesTheSameRow) {
  Random random(static_cast<std::uint64_t>(::testing::UnitTest::GetInstance()->random_seed()) + 12);
  for (int log = 0; log < 40; ++log) {
    const fs::path path = new_log(random);
    for (int part = 0; part < 30; ++part) {
      std::ofstream file(path, std::ios::app | std::ios::binary);
      for (auto left = 1 + random() % 4; left > 0; --left) file << line(random) << "\n";
      file.close();
      clock.set();
      ASSERT_EQ(rows(true), rows(false)) << "log " << log << ", part " << part;
    }
    fs::remove(path);
  }
}

// Cases that a full read sees and a counting read does not: an output in another file, damage that only the
// grammar shows, a message that a summary refers to.
struct FirstSearchOracle : SearchOracle {};

TEST_P(FirstSearchOracle, SearchBuildsTheSameRowsAsList) {
  const fs::path folder = fs::path(place.path("home")) / "projects" / "-home-dev";
  fs::create_directories(folder / "10000001" / "tool-results");
  std::ofstream(folder / "10000001" / "tool-results" / "t.txt") << "the whole output, with a needle in it";
  const auto user = [](const std::string& id, const std::string& content) {
    return R"({"type":"user","uuid":")" + id + R"(","sessionId":"s","timestamp":"2026-11-15T08:00:00.000Z",)" +
           R"("message":{"role":"user","content":)" + content + "}}\n";
  };
  std::ofstream(folder / "10000001.jsonl")
      << user("a", "\"hello\"")
      << user("b", R"([{"type":"tool_result","tool_use_id":"t","content":"<persisted-output>\nFull output saved to: )"
                   R"(/x/t.txt\n\nPreview (first 2KB):\nthe\n</persisted-output>"}])");
  std::ofstream(folder / "10000002.jsonl") << user("a", "\"hello\"") << R"({"type";"user","uuid":"c"})" << "\n"
                                           << user("b", "\"more\"");
  std::ofstream(folder / "10000003.jsonl")
      << user("a", "\"hello\"") << R"({"type":"summary","summary":"of it","leafUuid":"a"})" << "\n";
  clock.set(std::chrono::hours(1));  // no file is too young to be trusted
  const std::string want = rows(false);
  const SearchQuery query{.words = {"needle"}};
  SearchCounts counts;
  for (int round = 0; round < 2; ++round) EXPECT_EQ(quick(query, true, counts), Places{"10000001:1"});
  EXPECT_EQ(rows(true), want);
  fs::remove_all(place.path("cache"));
  EXPECT_EQ(rows(true), want);
  EXPECT_EQ(quick(query, true, counts), Places{"10000001:1"});
}

TEST_P(SearchOracle, DamagedCacheNeverHidesAHit) {
  Random random(12);
  for (int i = 0; i < 6; ++i) append(random, new_log(random), 6);
  clock.set();
  const SearchQuery query{.words = {"alpha"}};
  SearchCounts counts;
  const Places want = slow(query);
  ASSERT_FALSE(want.empty());
  ASSERT_EQ(quick(query, true, counts), want);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(place.path("cache"))) files.push_back(entry.path());
  ASSERT_EQ(files.size(), 5u);
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string good{std::istreambuf_iterator<char>(in), {}};
    in.close();
    for (int round = 0; round < 150; ++round) {
      std::string bad = good;
      if (round % 3 == 0)
        bad.resize(random() % bad.size());
      else
        bad[random() % bad.size()] ^= static_cast<char>(1 + random() % 255);
      std::ofstream(file, std::ios::binary | std::ios::trunc) << bad;
      ASSERT_EQ(quick(query, true, counts), want) << file << " round " << round;
    }
    std::ofstream(file, std::ios::binary | std::ios::trunc) << good;
  }
}

INSTANTIATE_TEST_SUITE_P(Claude, FirstSearchOracle, testing::Values("claude-code"));  // does not apply to Codex
INSTANTIATE_TEST_SUITE_P(Layouts, SearchOracle, testing::Values("claude-code", "codex"), [](const auto& layout) {
  std::string name = layout.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace holdfast::inline v1
