// --dry-run says what the real run would: its errors too.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct DryRun : CliHome {
  // The same exit code and the same words, whether it is only looked at or done; nothing is there after looking.
  void refused(const std::string& command, int code) {
    EXPECT_EQ(sh("$H " + command + " --dry-run"), code) << command << out;
    const std::string looked = err.substr(0, err.find(" ("));
    EXPECT_EQ(sh("$H " + command), code) << command << out;
    EXPECT_EQ(err.substr(0, looked.size()), looked) << command;
  }
};

TEST_F(DryRun, OfAnImport) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"hello\"");
  ASSERT_EQ(sh("$H export aaaa --format json > whole.json && head -c 300 whole.json > half.json"), 0) << err;
  ASSERT_EQ(sh("$H import whole.json --dry-run"), 0) << err;
  EXPECT_EQ(out, "would create a session of 1 message, aaaaaaaa-0000-4000-8000-000000000001\n");
  EXPECT_FALSE(std::filesystem::exists(home + "/.local/share/holdfast/sessions"));
  refused("import half.json", 2);
  EXPECT_EQ(sh("$H import whole.json"), 0) << err;
  EXPECT_EQ(sh("$H import whole.json --dry-run"), 2) << out;
  EXPECT_EQ(sh("$H import whole.json"), 2) << out;
}

TEST_F(DryRun, OfANewSession) {
  EXPECT_EQ(sh("$H session create --title x --dry-run"), 0) << err;
  EXPECT_TRUE(out.starts_with("would create ")) << out;
  refused("session create --id ../x", 2);
  EXPECT_EQ(sh("$H session create --id ses-one && $H session create --id ses-one --dry-run"), 2) << out;
  EXPECT_EQ(sh("$H session create --id ses-one"), 2) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
