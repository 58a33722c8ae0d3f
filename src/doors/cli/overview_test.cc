#include "doors/cli/overview.h"

#include <gtest/gtest.h>

#include "base/time.h"

namespace holdfast::inline v1 {
namespace {

const auto kNow = *parse_iso8601("2026-11-15T02:00:00Z");

TEST(Overview, ShowsStoresAndSuggestions) {
  const std::string text = overview_of(
      JsonView(R"({"stores":[{"layout":"codex","root":"/h/.codex","sessions":24,"bytes":1157789,)"
               R"("updated_at":"2026-11-15T01:43:26.366Z","damage":1},)"
               R"({"layout":"pi","root":"/h/.pi","sessions":0,"bytes":0}],"findings":[]})"),
      JsonView(R"({"sessions":[{"id":"abc","updated_at":"2026-11-15T01:43:26.366Z","title":"Fix \u001b[31mit"}]})"), {},
      "/h", kNow);
  EXPECT_TRUE(
      text.starts_with("24 sessions on this machine, 1.1 MB\n\n"
                       "  Codex                  24 sessions    1.1 MB  16m ago    ~/.codex\n"))
      << text;
  EXPECT_NE(text.find("last: 16m ago  abc  Fix it\n"), std::string::npos) << text;
  EXPECT_NE(text.find("1 of them has damaged lines; run holdfast verify to see where\n"), std::string::npos) << text;
  std::size_t tries = 0;
  for (std::size_t at = text.find("\nTry\n"); (at = text.find("\n  holdfast ", at)) != std::string::npos; ++at) ++tries;
  EXPECT_EQ(tries, 3U) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Overview, EmptyMachineShowsFirstSteps) {
  const std::string text = overview_of(JsonView(R"({"stores":[],"findings":[]})"), JsonView("{}"), {}, "/h", kNow);
  EXPECT_TRUE(text.starts_with("There are no sessions on this machine yet.")) << text;
  EXPECT_NE(text.find("holdfast init"), std::string::npos);
  EXPECT_NE(overview_of(JsonView(R"({"stores":[],"findings":[{"kind":"x"}]})"), JsonView("{}"), {}, "/h", kNow)
                .find("1 store could not be read"),
            std::string::npos);
}

}  // namespace
}  // namespace holdfast::inline v1
