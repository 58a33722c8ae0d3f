// session.list row by row, compared with Store::list and with the whole answer.
#include "api/listed_sessions.h"

#include <algorithm>
#include <tuple>

#include "api/api_testing.h"
#include "api/session_filter.h"
#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kEach = 150;  // sessions per store, enough for several pieces

struct ListedSessionsTest : ApiTest {
  Stores both{two_stores()};

  StoreSettings two_stores() {
    StoreSettings all = settings(false);
    for (const std::string root : {"/zoo", "/apple"}) {
      all.defaults.push_back(all.home);
      all.defaults.back().roots[""] = root;
    }
    return all;
  }

  void must(std::string_view method, const std::string& params) {
    const auto answer = dispatch(context, both, method, params);
    ASSERT_TRUE(answer) << params << answer.error().text();
  }

  void SetUp() override {
    for (const std::string root : {"/zoo", "/apple"}) {
      const std::string store = R"("store":"holdfast:)" + root + "\"";
      for (int i = 0; i < kEach; ++i) {
        // Some ids are in both stores, with the same time.
        const std::string id = (i % 5 == 0 ? "same" : root.substr(1)) + std::to_string(i);
        const std::string minute = std::to_string(10 + i % 40);
        must("session.create", "{" + store + R"(,"id":")" + id + R"(","title":"a \"title\" \u2028)" +
                                   std::to_string(i) + R"(","project":"/p","metadata":{"n":[1,{"x":null}]}})");
        must("message.append", "{" + store + R"(,"session":")" + id +
                                   R"(","message":{"role":"user","text":"hello\nworld","timestamp":"2099-11-15T08:)" +
                                   minute + R"(:00.000Z"}})");
      }
      must("session.fork", "{" + store + R"(,"id":"same0"})");
    }
  }

  // The answer as made from Store::list.
  std::string made_of_sessions(std::size_t skip, std::size_t limit) {
    std::vector<Session> all;
    std::vector<Finding> findings;
    std::size_t total = 0;
    for (const StoreOptions& options : both.settings().defaults) {
      const auto store = both.open(context, options, Use::read);
      if (!store) {  // the home does not exist
        findings.push_back(left_out(options, store.error()));
        continue;
      }
      auto list = (*store)->list(context, {});
      EXPECT_TRUE(list);
      total += list->total;
      std::ranges::move(list->sessions, std::back_inserter(all));
    }
    std::ranges::sort(all, [](const Session& a, const Session& b) {
      return std::tie(b.updated_at, a.id, a.store) < std::tie(a.updated_at, b.id, b.store);
    });
    JsonWriter json = begin_answer();
    json.key("sessions").begin_array();
    std::size_t shown = 0;
    for (std::size_t i = skip; i < all.size() && shown < limit; ++i, ++shown) write_session(json, all[i]);
    json.end_array();
    write_page(json, {limit, skip}, shown, total, [] { return std::string("CURSOR"); });
    write_findings(json, "findings", findings);
    return json.end_object().take();
  }

  // Replaces the cursor, which cannot be predicted, by a word.
  static std::string plain(std::string answer) {
    const std::string key = "\"next_cursor\":\"";
    const auto at = answer.find(key);
    if (at == std::string::npos) return answer;
    const auto begin = at + key.size();
    return answer.replace(begin, answer.find('"', begin) - begin, "CURSOR");
  }

  static std::string params_of(std::size_t skip, std::size_t limit) {
    return R"({"skip":)" + std::to_string(skip) + R"(,"limit":)" + std::to_string(limit) + "}";
  }
};

TEST_F(ListedSessionsTest, MatchesStoreList) {
  const auto all = dispatch(context, both, "session.list", params_of(0, 10000));
  ASSERT_TRUE(all);
  EXPECT_EQ(JsonView(*all).find("total").as_int64(), 2 * (kEach + 1));
  EXPECT_NE(all->find(R"("parent":{"id":"same0")"), std::string::npos);
  EXPECT_NE(all->find("this store is left out"), std::string::npos);
  for (const auto& [skip, limit] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 10000}, {0, 1}, {1, 1}, {0, 127}, {0, 128}, {0, 129}, {100, 128}, {301, 5}, {302, 5}, {9999, 7}}) {
    const std::string expected = made_of_sessions(skip, limit);
    const auto answer = dispatch(context, both, "session.list", params_of(skip, limit));
    ASSERT_TRUE(answer);
    EXPECT_EQ(plain(*answer), expected) << skip << " " << limit;
    const auto listed = list_sessions(context, both, params_of(skip, limit));
    ASSERT_TRUE(listed);
    std::string told;
    EXPECT_TRUE(listed->tell([&](std::string_view piece) {
      told += piece;
      return true;
    }));
    EXPECT_EQ(plain(told), expected) << skip << " " << limit;
    EXPECT_EQ(listed->size() == 0, JsonView(expected).find("sessions").raw() == "[]");
  }
}

// Rows stay valid after the stores are closed, and formatting stops when the reader stops.
TEST_F(ListedSessionsTest, RowsOutliveStoresAndStopWithReader) {
  const std::string expected = made_of_sessions(0, 10000);
  const auto listed = list_sessions(context, both, params_of(0, 10000));
  ASSERT_TRUE(listed);
  ASSERT_TRUE(both.close(context));
  EXPECT_EQ(plain(listed->answer()), expected);
  int pieces = 0;
  EXPECT_FALSE(listed->tell([&](std::string_view) { return ++pieces < 2; }));
  EXPECT_EQ(pieces, 2);
}

// Goes through all stores by cursor, in pages of different sizes; a cursor stays valid when other sessions are added.
TEST_F(ListedSessionsTest, CursorsVisitAllSessionsInOrder) {
  const auto ids_in = [](JsonView answer) {
    std::vector<std::string> ids;
    for (const JsonItem& one : answer.find("sessions").elements())
      ids.push_back(one.value.find("store").as_string().value_or("") + one.value.find("id").as_string().value_or(""));
    return ids;
  };
  const auto whole = dispatch(context, both, "session.list", params_of(0, 10000));
  ASSERT_TRUE(whole);
  for (const std::size_t limit : {1U, 7U, 128U}) {
    std::vector<std::string> joined;
    std::string behind;
    do {
      const auto page = dispatch(
          context, both, "session.list",
          R"({"limit":)" + std::to_string(limit) + (behind.empty() ? "" : R"(,"cursor":")" + behind + "\"") + "}");
      ASSERT_TRUE(page) << page.error().text();
      for (std::string& id : ids_in(JsonView(*page))) joined.push_back(std::move(id));
      behind = JsonView(*page).find("next_cursor").as_string().value_or("");
    } while (!behind.empty() && joined.size() < 10000);
    EXPECT_EQ(joined, ids_in(JsonView(*whole))) << limit;
  }
  const auto first = dispatch(context, both, "session.list", R"({"limit":7})");
  ASSERT_TRUE(first);
  const std::string store = R"({"store":"holdfast:/apple",)";
  must("session.create", store + R"("id":"newest","project":"/p"})");
  must("message.append",
       store + R"("session":"newest","message":{"role":"user","text":"x","timestamp":"2099-11-15T09:00:00.000Z"}})");
  const auto now = dispatch(context, both, "session.list", params_of(0, 1));
  ASSERT_TRUE(now);
  EXPECT_EQ(ids_in(JsonView(*now)), std::vector<std::string>{"holdfast:/applenewest"});
  const auto rest =
      dispatch(context, both, "session.list",
               R"({"limit":10000,"cursor":)" + std::string(JsonView(*first).find("next_cursor").raw()) + "}");
  ASSERT_TRUE(rest) << rest.error().text();
  std::vector<std::string> expected = ids_in(JsonView(*whole));
  expected.erase(expected.begin(), expected.begin() + 7);
  EXPECT_EQ(ids_in(JsonView(*rest)), expected);
  for (const std::string wrong : {"", "s1.", "s1.AAAA", "n1.5"})
    EXPECT_FALSE(dispatch(context, both, "session.list", R"({"cursor":")" + wrong + "\"}")) << wrong;
}

TEST_F(ListedSessionsTest, RejectsInvalidParameters) {
  const auto wrong = list_sessions(context, both, R"({"limit":0})");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, Code::invalid_argument);
  const auto unknown = list_sessions(context, both, R"({"layout":"nosuch"})");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Code::invalid_argument);
}

}  // namespace
}  // namespace holdfast::inline v1
