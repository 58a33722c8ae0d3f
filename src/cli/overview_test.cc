#include "cli/overview.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(Overview, SaysWhatIsThereAndWhatToTry) {
  const std::string text = overview_of(
      JsonView(R"({"stores":[{"layout":"codex","root":"/h/.codex","sessions":24,"bytes":1157789},)"
               R"({"layout":"pi","root":"/h/.pi","sessions":0,"bytes":0}],"findings":[]})"),
      JsonView(R"({"sessions":[{"id":"abc","updated_at":"2026-11-15T01:43:26.366Z","title":"Fix \u001b[31mit"}]})"),
      {});
  EXPECT_TRUE(
      text.starts_with("24 sessions on this machine\n\n  Codex                    24 sessions     1.1 MB  /h/.codex\n"))
      << text;
  EXPECT_NE(text.find("last: 2026-11-15T01:43  abc  Fix it\n"), std::string::npos) << text;
  EXPECT_NE(text.find("holdfast search"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Overview, AnEmptyMachineIsToldWhatToDoFirst) {
  const std::string text = overview_of(JsonView(R"({"stores":[],"findings":[]})"), JsonView("{}"), {});
  EXPECT_TRUE(text.starts_with("There is no session on this machine yet.")) << text;
  EXPECT_NE(text.find("holdfast init"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::inline v1
