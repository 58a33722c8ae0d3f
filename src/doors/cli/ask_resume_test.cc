#include "doors/cli/ask_resume.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

using namespace std::chrono_literals;

struct AskResume : testing::Test {
  const std::chrono::system_clock::time_point now{1771237800s};  // 2026-02-16T10:30:00Z
  const std::string answer =
      R"({"sessions":[{"id":"auth-20260216-2","phase":"Planning","step":"BreakIntoTasks","component":null,)"
      R"("updated_at":"2026-02-16T08:29:00Z","latest":false},{"id":"auth-20260216-1","phase":"Building",)"
      R"("step":"Repeat","component":"Log\u001b[31min","updated_at":"2026-02-16T10:29:30Z","latest":true}]})";
  const std::vector<StartChoice> choices = start_choices(JsonView(answer), now);

  std::string reply(std::string_view line) {
    const auto meant = read_start_reply(line, choices);
    return !meant ? "?" : meant->fresh ? "fresh" : meant->resume;
  }
};

TEST_F(AskResume, L07_ListsLatestFirst) {
  EXPECT_EQ(start_question(choices),
            "Incomplete sessions:\n  1  auth-20260216-1  Building/Repeat  Login  just now  (latest)\n"
            "  2  auth-20260216-2  Planning/BreakIntoTasks  2 hours ago\n"
            "Resume which one? Enter a number or an id, or n for a new session [1]: ");
}

TEST_F(AskResume, L07_ParsesNumberIdOrNewAsReply) {
  EXPECT_EQ(reply(""), "auth-20260216-1");
  EXPECT_EQ(reply(" 2 \n"), "auth-20260216-2");
  EXPECT_EQ(reply("auth-20260216-2"), "auth-20260216-2");
  EXPECT_EQ(reply("n"), "fresh");
  EXPECT_EQ(reply("fresh"), "fresh");
  EXPECT_EQ(reply("3"), "?");
  EXPECT_EQ(reply("0"), "?");
  EXPECT_EQ(reply("auth"), "?");
  EXPECT_EQ(reply("what"), "?");
}

TEST_F(AskResume, TimesUseLopenWording) {
  EXPECT_EQ(time_ago(now - 59s, now), "just now");
  EXPECT_EQ(time_ago(now - 60s, now), "1 minute ago");
  EXPECT_EQ(time_ago(now - 59min, now), "59 minutes ago");
  EXPECT_EQ(time_ago(now - 60min, now), "1 hour ago");
  EXPECT_EQ(time_ago(now - 47h, now), "1 day ago");
  EXPECT_EQ(time_ago(now - 480h, now), "20 days ago");
}

}  // namespace
}  // namespace holdfast::inline v1
