#include "layout/lopen/lopen_layout.h"

#include <gtest/gtest.h>

#include "layout/lopen/paths.h"
#include "layout/lopen/state_json.h"
#include "layout/memory_feed_testing.h"
#include "layout/session_mark.h"
#include "model/tally.h"

namespace holdfast::inline v1::lopen {
namespace {

// As Lopen itself writes it.
constexpr std::string_view kReal =
    R"({"session_id":"auth-20260216-1","phase":"req-gathering","step":"draft-spec","module":"auth","component":null,)"
    R"("created_at":"2026-02-16T10:30:00.1234567+00:00","updated_at":"2026-02-16T10:30:00.1234567+00:00","is_complete":false})";

TEST(LopenNames, L04_ParsesModuleDateAndCounterFromId) {
  const auto name = parse_session_name("my-mod-20260214-3");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->module, "my-mod");
  EXPECT_EQ(name->date, "20260214");
  EXPECT_EQ(name->counter, 3u);
  EXPECT_TRUE(parse_session_name("auth-20260214-1357"));
  for (const char* bad :
       {"", "latest", "auth", "auth-20260214", "auth-20260214-0", "auth-20261314-1", "auth-20260230-1", "My-20260214-1",
        "my_mod-20260214-1", "-20260214-1", "1a-20260214-1", "auth-2026021-1", "auth-20260214-x", "../x-20260214-1",
        "auth-20260214-99999999999999999999"}) {
    EXPECT_FALSE(parse_session_name(bad)) << bad;
  }
  EXPECT_TRUE(*parse_session_name("z-20260214-2") < *parse_session_name("a-20260214-10"));
  EXPECT_TRUE(*parse_session_name("z-20260214-2") < *parse_session_name("a-20260215-1"));
}

TEST(LopenState, L02_DistinguishesValidFromCorruptState) {
  EXPECT_TRUE(check_state(kReal));
  EXPECT_TRUE(is_null_document("null"));
  EXPECT_TRUE(is_null_document(" null\n"));
  const std::string real(kReal);
  for (const std::string& bad :
       {std::string(), std::string("  "), real.substr(0, 40), std::string("\x00\x01\xff", 3), std::string("[]"),
        std::string("\"x\""), std::string(R"({"session_id":"auth-20260216-1"})")}) {
    const auto checked = check_state(bad);
    ASSERT_FALSE(checked) << bad;
    EXPECT_EQ(checked.error().code, Code::corrupt);
  }
  for (const std::string key : {"session_id", "phase", "step", "module", "created_at", "updated_at"}) {
    std::string without = real;
    without.replace(without.find("\"" + key + "\""), key.size() + 2, "\"x\"");
    const auto checked = check_state(without);
    ASSERT_FALSE(checked) << key;
    EXPECT_EQ(checked.error().message, "the key " + key + " is missing");
  }
  const auto with = [&](std::string_view key, std::string_view value) {
    return real.substr(0, real.size() - 1) + ",\"" + std::string(key) + "\":" + std::string(value) + "}";
  };
  EXPECT_TRUE(check_state(with("unknown", "{\"a\":[1]}")));
  EXPECT_FALSE(check_state(with("models_used", "3")));
  EXPECT_FALSE(check_state(with("task_hierarchy", R"([{"id":"a","name":"n","state":"Done","node_type":"task"}])")));
  EXPECT_TRUE(check_state(
      with("task_hierarchy", R"([{"id":"a","name":"n","state":"Pending","node_type":"task","children":[]}])")));
}

TEST(LopenState, L03_MetricsWithoutIterationsAreValid) {
  EXPECT_TRUE(
      check_metrics(R"({"session_id":"a","cumulative_input_tokens":5,"updated_at":"2026-02-16T10:30:00+00:00"})"));
  EXPECT_FALSE(check_metrics(R"({"session_id":"a","iterations":7,"updated_at":"2026-02-16T10:30:00+00:00"})"));
  EXPECT_FALSE(check_metrics(R"({"session_id":"a"})"));
}

TEST(LopenState, L23_NewSessionRejectsMessagesAndContent) {
  const SessionName name{"auth", "20260216", 1};
  EXPECT_FALSE(new_state(name, {.metadata = R"({"messages":[]})"}, {}));
  EXPECT_FALSE(new_state(name, {.metadata = R"({"resources":{"specs":["# Title\n\nText"]}})"}, {}));
  EXPECT_FALSE(new_state(name, {.metadata = R"({"resources":{"content":["x"]}})"}, {}));
  const auto made = new_state(name, {.metadata = R"({"module":"Auth","resources":{"specs":["docs/a.md"]}})"},
                              std::chrono::system_clock::time_point(std::chrono::milliseconds(1771237800500)));
  ASSERT_TRUE(made);
  EXPECT_EQ(*made,
            R"({"session_id":"auth-20260216-1","phase":"req-gathering","step":"draft-spec","module":"Auth",)"
            R"("component":null,"created_at":"2026-02-16T10:30:00.5+00:00","updated_at":"2026-02-16T10:30:00.5+00:00",)"
            R"("is_complete":false,"resources":{"specs":["docs/a.md"]}})");
}

TEST(LopenLayout, FindsSessionsAndNothingElse) {
  MemoryFeed feed;
  const auto put = [&](const std::string& path, std::string_view bytes) {
    feed.put(in_project(path), std::string(bytes));
  };
  put(".lopen/sessions/auth-20260216-1/state.json", kReal);
  put(".lopen/sessions/auth-20260216-2/state.json", "null");
  put(".lopen/sessions/auth-20260216-3/metrics.json", "{}");
  put(".lopen/sessions/latest/state.json", kReal);
  put(".lopen/sessions/junk/state.json", kReal);
  put(".lopen/module/auth/state.json", "{}");
  std::vector<std::string> ids;
  ASSERT_TRUE(lopen_layout().find(feed, [&](const SessionRef& ref) {
    ids.push_back(ref.id);
    return true;
  }));
  EXPECT_EQ(ids, std::vector<std::string>{"auth-20260216-1"});
  EXPECT_TRUE(*lopen_layout().recognise(feed));
  EXPECT_FALSE(*lopen_layout().locate(feed, "auth-20260216-2"));
}

TEST(LopenLayout, L05_AbsoluteAndRelativeMarksAreRead) {
  MemoryFeed feed;
  feed.put(in_project(".lopen/sessions/auth-20260216-1/state.json"), std::string(kReal));
  feed.put(in_project(".lopen/sessions/zoo-20260216-2/state.json"), std::string(kReal));
  const Place latest = in_project(".lopen/sessions/latest");
  for (const char* target : {"auth-20260216-1", "/home/x/p/.lopen/sessions/auth-20260216-1", "/a/auth-20260216-1/"}) {
    feed.links[latest] = target;
    const auto current = lopen_layout().mark()->current(feed);
    ASSERT_TRUE(current && *current) << target;
    EXPECT_EQ((*current)->id, "auth-20260216-1");
    // A mark that does not lead to the session (say, because the project was moved) is rewritten.
    const auto mend = lopen_layout().mark()->mend_current(feed);
    ASSERT_TRUE(mend);
    EXPECT_EQ(mend->empty(), *target != '/') << target;
    for (const Change& change : mend->list()) EXPECT_EQ(change.bytes, "auth-20260216-1");
  }
  feed.links[latest] = "auth-20260216-9";
  EXPECT_FALSE(*lopen_layout().mark()->current(feed));
  const auto mended = lopen_layout().mark()->mend_current(feed);
  ASSERT_EQ(mended->list().size(), 1u);
  EXPECT_EQ(mended->list()[0].bytes, "zoo-20260216-2");
}

TEST(LopenLayout, ReadsSessionFieldsFromState) {
  MemoryFeed feed;
  std::string state(kReal);
  state.insert(state.size() - 1, R"(,"models_used":["gpt-5-mini","caf\u00e9"])");
  feed.put(in_project(".lopen/sessions/auth-20260216-1/state.json"), state);
  const auto ref = lopen_layout().locate(feed, "auth-20260216-1");
  Tally tally;
  ASSERT_TRUE(lopen_layout().read(feed, **ref, {}, tally));
  Session session;
  tally.finish(session);
  EXPECT_EQ(session.title, "auth");
  EXPECT_EQ(session.status, Status::active);
  EXPECT_EQ(session.created_at, "2026-02-16T10:30:00.123Z");
  EXPECT_EQ(session.metadata, R"({"phase":"req-gathering","step":"draft-spec","module":"auth","component":null})");
}

}  // namespace
}  // namespace holdfast::inline v1::lopen
