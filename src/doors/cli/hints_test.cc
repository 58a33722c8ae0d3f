#include "doors/cli/hints.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

std::string hints(const std::string& answer) { return hints_of(JsonView(answer)); }

TEST(Hints, ShowTotalsAndNextSteps) {
  EXPECT_EQ(hints(R"({"sessions":[],"total":0,"next":null})"),
            "no sessions yet; run holdfast doctor to see which stores it looks at\n");
  EXPECT_EQ(hints_of(JsonView(R"({"sessions":[],"total":0,"next":null})"), JsonView(R"({"agent":"codex"})")),
            "no sessions match\n");
  EXPECT_EQ(hints(R"({"sessions":[],"total":0,"next":null,"findings":[{"file":"state.json","kind":"corrupt"}]})"),
            "no sessions can be shown\n");
  EXPECT_EQ(hints(R"({"sessions":[{}],"total":7,"next":1})"),
            "7 in total; use --skip 1 for the next page, or -n 7 for all\n");
  EXPECT_EQ(hints(R"({"sessions":[{}],"total":1,"next":null})"), "");
  EXPECT_EQ(hints(R"({"runs":[],"total":0,"next":null})"), "nothing found\n");
  EXPECT_EQ(hints(R"({"messages":[],"sessions":[],"total":0,"next":null})"), "no messages yet\n");
  EXPECT_EQ(hints(R"({"query":"x","hits":[],"sessions":0,"total":0,"truncated":false})"), "no messages match\n");
  EXPECT_EQ(hints(R"({"query":"x","hits":[],"sessions":1,"total":1,"truncated":false})"),
            "1 hit in 1 session; open one with holdfast show ID --at N\n");
  EXPECT_EQ(hints_of(JsonView(R"({"query":"x","hits":[],"sessions":2,"total":3,"truncated":false})"),
                     JsonView(R"({"count":true})")),
            "3 hits in 2 sessions\n");
  EXPECT_EQ(hints(R"({"query":"x","hits":[],"sessions":null,"total":null,"truncated":true})"),
            "there are more hits; use -n N to show more, or --count to count them all\n");
  EXPECT_EQ(hints(R"({"id":"x","session":{}})"), "");
}

TEST(Hints, ShowRemedies) {
  EXPECT_EQ(hints(R"({"damage":[],"total":0,"notes":[],"notes_total":0,"next":null})"), "");
  EXPECT_EQ(hints(R"({"damage":[{}],"total":1,"notes":[],"notes_total":0,"next":null,"remedies":["a","b"]})"),
            "a\nb\n");
  EXPECT_EQ(hints(R"({"format":"md","damage":[{"kind":"torn"}],"remedies":["do this"],"text":"x"})"), "do this\n");
  EXPECT_EQ(hints(R"({"format":"md","damage":[{"kind":"missing_records"}],"text":"x"})"), "");
}

TEST(Hints, OmitRemediesForFilesOfAnotherMachine) {
  const std::string shown = R"({"format":"md","damage":[{"kind":"torn"}],"remedies":["do this"],"text":"x"})";
  EXPECT_EQ(hints_of(JsonView(shown), JsonView(R"({"id":"7772"})")), "do this\n");
  EXPECT_EQ(hints_of(JsonView(shown), JsonView(R"({"id":"7772","machine":"laptop"})")), "");
}

}  // namespace
}  // namespace holdfast::inline v1
