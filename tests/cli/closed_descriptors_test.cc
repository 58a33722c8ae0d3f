// A closed standard descriptor never becomes another file of ours.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct ClosedDescriptors : CliHome {};

TEST_F(ClosedDescriptors, ServersExitOnClosedInput) {
  for (const std::string door : {"rpc", "mcp"}) {
    EXPECT_EQ(sh("timeout -k 5 20 $H " + door + " <&-"), 5) << door << out;
    EXPECT_TRUE(err.contains("cannot read the input: Bad file descriptor")) << err;
  }
}

TEST_F(ClosedDescriptors, ClosedOutputIsAnError) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"hello\"");
  for (const std::string command : {"ls", "ls --json", "stores", "version", "api", "call hello"}) {
    EXPECT_EQ(sh("$H " + command + " >&-"), 5) << command << err;
    EXPECT_TRUE(err.contains("Bad file descriptor")) << command << err;
  }
}

TEST_F(ClosedDescriptors, AppendIsStoredWithClosedDescriptors) {
  ASSERT_EQ(sh("$H call session.create '{\"id\":\"ses-1\"}'"), 0) << err;
  EXPECT_EQ(sh("$H call message.append '{\"session\":\"ses-1\",\"text\":\"kept\"}' <&- 2>&-"), 0);
  EXPECT_EQ(sh("$H call message.append '{\"session\":\"ses-1\",\"text\":\"and this\"}' <&- >&- 2>&-"), 5);
  ASSERT_EQ(sh("$H show ses-1"), 0) << err;
  EXPECT_TRUE(out.contains("kept") && out.contains("and this")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
