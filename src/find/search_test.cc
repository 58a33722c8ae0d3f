#include "find/search.h"

#include <gtest/gtest.h>

#include "store/layout_store_testing.h"

namespace holdfast::inline v1 {
namespace {

struct SearchTest : testing::Test {
  void SetUp() override {
    store = *Store::in_memory({});
    SessionDraft draft;
    draft.project = "/home/dev/alpha";
    session = *store->create({}, draft);
    writer = *store->write({}, session);
  }
  void say(Role role, BlockKind kind, const std::string& text) {
    Message message;
    message.role = role;
    message.origin = role == Role::user ? Origin::typed : role == Role::assistant ? Origin::model : Origin::tool;
    Block block{.kind = kind};
    (kind == BlockKind::tool_call ? block.json : block.text) = text;
    block.id = "t" + std::to_string(++calls);
    if (kind == BlockKind::tool_call) block.name = "Bash";
    message.blocks.push_back(block);
    ASSERT_TRUE(writer->append({}, message));
  }
  // Returns the ordinals of the hits.
  std::vector<std::int64_t> find(SearchQuery query) {
    hits.clear();
    const Matcher matcher = Matcher::make(query.words, query.regex, query.match_case).value();
    const Context context;
    Search search(context, query, matcher);
    search.add(search.prepare(*store).value());
    counts = search.run([&](const SearchHit& hit) { return hits.push_back(hit), true; }).value();
    std::vector<std::int64_t> ordinals;
    for (const SearchHit& hit : hits) ordinals.push_back(hit.ordinal);
    return ordinals;
  }
  using Ordinals = std::vector<std::int64_t>;

  std::shared_ptr<Store> store;
  std::string session;
  std::unique_ptr<SessionWriter> writer;
  int calls = 0;
  std::vector<SearchHit> hits;
  SearchCounts counts;
};

TEST_F(SearchTest, MatchesAllWordsInOneMessageIgnoringCase) {
  say(Role::user, BlockKind::text, "Where is the RACE condition?");
  say(Role::assistant, BlockKind::text, "A race, you say. No other word.");
  say(Role::assistant, BlockKind::text, "The condition\nof this race is bad.");
  EXPECT_EQ(find({.words = {"race", "condition"}}), (Ordinals{0, 2}));
  EXPECT_EQ(find({.words = {"race condition"}}), (Ordinals{0}));
  EXPECT_EQ(find({.words = {"RACE"}, .match_case = true}), (Ordinals{0}));
  EXPECT_EQ(find({.words = {"rac[ex]\\b"}, .regex = true}), (Ordinals{0, 1, 2}));
  EXPECT_TRUE(find({.words = {"nowhere"}}).empty());
  EXPECT_EQ(counts.hits, 0u);
}

TEST_F(SearchTest, SearchesDecodedTextOfSelectedKinds) {
  say(Role::user, BlockKind::text, "line \"one\"\nzwei – ünï");
  say(Role::assistant, BlockKind::thinking, "secret thought");
  say(Role::assistant, BlockKind::tool_call, R"({"command":"grep \"one\" file","note":"\u00fcn\u00ef"})");
  say(Role::tool, BlockKind::tool_result, "output with one");
  EXPECT_EQ(find({.words = {"\"one\""}}), (Ordinals{0, 2}));
  EXPECT_EQ(find({.words = {"ÜNÏ"}}), (Ordinals{0, 2}));
  EXPECT_TRUE(find({.words = {"command"}}).empty());  // keys are not searched
  EXPECT_EQ(find({.words = {"one"}, .in = {true, false, false, false, false}}), (Ordinals{0}));
  EXPECT_EQ(find({.words = {"one"}, .in = {false, false, false, true, false}}), (Ordinals{2, 3}));
  EXPECT_EQ(find({.words = {"thought"}, .in = {false, false, true, false, false}}), (Ordinals{1}));
}

TEST_F(SearchTest, SnippetsAreOneLineWithTheirMatchesMarked) {
  say(Role::user, BlockKind::text, std::string(500, 'x') + "\nünd the needle is here\n" + std::string(500, 'y'));
  ASSERT_EQ(find({.words = {"needle"}}), (Ordinals{0}));
  const SearchHit& hit = hits.front();
  EXPECT_EQ(hit.snippet.find('\n'), std::string::npos);
  EXPECT_LT(hit.snippet.size(), 250u);
  ASSERT_EQ(hit.spans.size(), 1u);
  EXPECT_EQ(hit.snippet.substr(hit.spans[0].from, hit.spans[0].to - hit.spans[0].from), "needle");
  EXPECT_EQ(hit.session, session);
  EXPECT_EQ(hit.project, "/home/dev/alpha");
}

TEST_F(SearchTest, LimitIsReportedAndCountIsExact) {
  for (int i = 0; i < 10; ++i) say(Role::user, BlockKind::text, "again and again");
  EXPECT_EQ(find({.words = {"again"}, .limit = 4}).size(), 4u);
  EXPECT_TRUE(counts.truncated);
  EXPECT_TRUE(find({.words = {"again"}, .limit = 4, .count_only = true}).empty());
  EXPECT_EQ(counts.hits, 10u);
  EXPECT_EQ(counts.sessions, 1u);
  EXPECT_FALSE(counts.truncated);
  find({.words = {"again"}, .limit = 10});
  EXPECT_FALSE(counts.truncated);
}

TEST_F(SearchTest, StopsWhenTheCallerStops) {
  for (int i = 0; i < 10; ++i) say(Role::user, BlockKind::text, "again and again");
  const SearchQuery query{.words = {"again"}};
  const Matcher matcher = Matcher::make(query.words, false, false).value();
  const Context context;
  Search search(context, query, matcher);
  search.add(search.prepare(*store).value());
  int told = 0;
  const auto all = search.run([&](const SearchHit&) { return ++told < 3; });
  ASSERT_TRUE(all);
  EXPECT_EQ(told, 3);
  EXPECT_TRUE(all->truncated);
}

// Two stores whose sessions were written in turns, with a limit that either could reach.
TEST_F(SearchTest, SeveralStoresAreSearchedNewestFirst) {
  const auto other = *Store::in_memory({});
  TestClock clock;
  Context context;
  context.clock = &clock;
  std::vector<std::string> newest_first;
  for (int i = 0; i < 6; ++i) {
    Store& home = i % 2 == 0 ? *store : *other;
    clock.step(std::chrono::seconds(1));
    const std::string id = *home.create(context, {});
    const auto into = *home.write(context, id);
    Message message;
    message.blocks.push_back({.text = "a word of number " + std::to_string(i)});
    ASSERT_TRUE(into->append(context, message));
    ASSERT_TRUE(into->close(context));
    newest_first.insert(newest_first.begin(), id);
  }
  const SearchQuery query{.words = {"word"}, .limit = 4};
  const Matcher matcher = Matcher::make(query.words, false, false).value();
  Search search(context, query, matcher);
  search.add(search.prepare(*store).value());
  search.add(search.prepare(*other).value());
  std::vector<std::string> found;
  const auto all = search.run([&](const SearchHit& hit) { return found.push_back(hit.session), true; });
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->truncated);
  newest_first.resize(4);
  EXPECT_EQ(newest_first, found);
}

}  // namespace
}  // namespace holdfast::inline v1
