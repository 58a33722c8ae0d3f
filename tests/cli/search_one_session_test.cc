// Searching one session only.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct SearchOneSession : CliHome {
  static constexpr const char* kFirst = "aaaaaaaa-0000-4000-8000-000000000001";
  static constexpr const char* kSecond = "bbbbbbbb-0000-4000-8000-000000000002";
  void SetUp() override {
    CliHome::SetUp();
    claude(kFirst, "\"the tide turns\"");
    claude(kSecond, "\"a tide of words\"");
  }
  std::string total(const std::string& flags) {
    EXPECT_EQ(sh("$H search tide --json " + flags), 0) << err;
    return field({"total"});
  }
};

TEST_F(SearchOneSession, FindsHitsInThatSessionOnly) {
  EXPECT_EQ(total(""), "2");
  EXPECT_EQ(total("--session bbbb"), "1");
  EXPECT_NE(out.find(kSecond), std::string::npos) << out;
  EXPECT_EQ(out.find(kFirst), std::string::npos) << out;
  EXPECT_EQ(total(std::string("--session claude-code/") + kFirst), "1");
  EXPECT_EQ(sh(std::string("$H search words --session ") + kFirst), 1) << out;
}

// An imported copy has the id of its original.
TEST_F(SearchOneSession, HitStandsUnderItsOwnAgent) {
  ASSERT_EQ(sh("$H export aaaa --format json > $HOME/copy.json && $H import $HOME/copy.json"), 0) << err;
  ASSERT_EQ(sh("$H search turns"), 0) << err;
  for (const char* const agent : {"claude-code", "holdfast"}) {
    const std::size_t head = out.find(std::string(kFirst) + "  " + agent + "  ");
    ASSERT_NE(head, std::string::npos) << agent << out;
    const std::size_t next = out.find(kFirst, head + 1);
    EXPECT_NE(out.substr(head, next - head).find("the tide turns"), std::string::npos) << agent << out;
  }
}

TEST_F(SearchOneSession, UnknownSessionIsAnError) {
  EXPECT_EQ(sh("$H search tide --session cccc"), 3);
  EXPECT_NE(err.find("cccc"), std::string::npos) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
