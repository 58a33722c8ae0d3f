// The units of systemd that the package installs, as systemd reads them.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct ArchiveUnits : CliHome {};

TEST_F(ArchiveUnits, SystemdFindsNothingWrongWithThem) {
  if (sh("command -v systemd-analyze") != 0) GTEST_SKIP() << "systemd-analyze is not installed";
  // The program is where the package would have put it.
  ASSERT_EQ(sh("mkdir -m 700 $HOME/run && cp -r " + paths::source() +
               "/systemd $HOME/units && sed -i \"s|/usr/bin/"
               "holdfast|$H|\" $HOME/units/*.service"),
            0)
      << err;
  EXPECT_EQ(sh("XDG_RUNTIME_DIR=$HOME/run systemd-analyze --user verify --man=no $HOME/units/*"), 0) << err;
  EXPECT_EQ(err, "");
}

}  // namespace
}  // namespace holdfast::inline v1
