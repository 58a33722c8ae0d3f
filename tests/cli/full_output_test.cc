// If an answer could not be printed, the error says why.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct OutputErrors : CliHome {};

TEST_F(OutputErrors, CommandsReportFullOutputDevice) {
  create("\"hello\"");
  ASSERT_EQ(sh("$H message append @last hello"), 0) << err;
  for (const char* line : {"ls", "ls --json", "session get @last", "session show @last", "search hello", "doctor",
                           "--help", "--version", "tail --json @last", "api", "call session.list", "stats"}) {
    EXPECT_EQ(sh("exec timeout 20 $H " + std::string(line) + " >/dev/full"), 5) << line << err;
    EXPECT_TRUE(err.contains("cannot write to standard output: No space left on device")) << line << err;
  }
}

TEST_F(OutputErrors, ClosedPipeIsNotAnError) {
  create("\"hello\"");
  // It writes only after the reader has closed the pipe.
  EXPECT_EQ(sh("{ until_in gone $HOME/gone; $H ls; echo $? >$HOME/code; } | { exec <&-; echo gone >$HOME/gone; }\n"
               "cat $HOME/code"),
            0)
      << err;
  EXPECT_EQ(out, "0\n");
  EXPECT_EQ(err, "");
}

}  // namespace
}  // namespace holdfast::inline v1
