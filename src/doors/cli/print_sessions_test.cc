#include "doors/cli/print_sessions.h"

#include <gtest/gtest.h>

#include "api/api_testing.h"
#include "doors/cli/answer_notes.h"

namespace holdfast::inline v1 {
namespace {

struct PrintSessions : ApiTest {
  std::string printed(std::string_view params, const ListStyle& style) {
    const auto sessions = list_sessions(context, stores, params);
    EXPECT_TRUE(sessions);
    if (!sessions) return "";
    std::string text;
    EXPECT_TRUE(print_sessions(*sessions, style, [&](std::string_view piece) {
      text += piece;
      return true;
    }));
    return text;
  }
};

TEST_F(PrintSessions, MatchesRenderedAnswer) {
  for (int i = 0; i < 300; ++i) {
    const std::string id = "ses" + std::to_string(i);
    must_call("session.create", R"({"id":")" + id + R"(","project":"/a/p","title":")" +
                                    (i % 3 == 0 ? "" : R"(titled \u001b[1m 日本語)") + "\"}");
    if (i % 2 == 0) must_call("message.append", R"({"session":")" + id + R"(","text":"say \"it\""})");
  }
  for (const std::string params :
       {R"({"limit":1000})", R"({"limit":7})", R"({"limit":7,"skip":297})", R"({"skip":999})"}) {
    const std::string answer = must_call("session.list", params);
    EXPECT_EQ(printed(params, {.json = true}), answer + "\n");
    for (const std::size_t width : {0UL, 80UL, 200UL}) {
      for (const bool colour : {false, true}) {
        const RenderStyle style{.colour = colour, .terminal = width > 0, .width = width};
        EXPECT_EQ(printed(params, {.render = style}), render(JsonView(answer), style)) << params << width;
      }
    }
  }
  const std::string_view none = R"({"project":"/nope"})";
  EXPECT_EQ(printed(none, {}), "");
  EXPECT_EQ(printed(none, {.render = {.terminal = true, .width = 80}}), "");
  EXPECT_EQ(printed(none, {.names = true}), "");
  EXPECT_EQ(printed(R"({"limit":1,"skip":299})", {.names = true}).size(), std::string("holdfast/ses0").size() + 1);
}

// Findings go beside the table, not into it.
TEST_F(PrintSessions, FindingsAreNotInTheTable) {
  must_call("session.create", R"({"id":"ses1"})");
  StoreSettings all = settings(false);
  all.defaults.push_back(all.home);
  all.defaults.back().layout = "no-such-layout";
  Stores two(std::move(all));
  const auto sessions = list_sessions(context, two, "{}");
  ASSERT_TRUE(sessions);
  std::string text;
  EXPECT_TRUE(print_sessions(*sessions, {}, [&](std::string_view piece) {
    text += piece;
    return true;
  }));
  EXPECT_EQ(text, render(JsonView(sessions->answer()), {}));
  EXPECT_EQ(text.find("no-such-layout"), std::string::npos) << text;
  EXPECT_NE(notes_of(JsonView(sessions->frame())).find("no-such-layout"), std::string::npos) << sessions->frame();
}

}  // namespace
}  // namespace holdfast::inline v1
