// Automatic captures: the systemd units that the package installs, as systemd reads them, and the line for cron.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct ArchiveUnits : CliHome {};

TEST_F(ArchiveUnits, SystemdAcceptsUnits) {
  if (sh("command -v systemd-analyze") != 0) GTEST_SKIP() << "systemd-analyze is not installed";
  // The program is where the package would have installed it.
  ASSERT_EQ(sh("mkdir -m 700 $HOME/run && cp -r " + paths::source() +
               "/systemd $HOME/units && sed -i \"s|/usr/bin/"
               "holdfast|$H|\" $HOME/units/*.service"),
            0)
      << err;
  EXPECT_EQ(sh("XDG_RUNTIME_DIR=$HOME/run systemd-analyze --user verify --man=no $HOME/units/*"), 0) << err;
  EXPECT_EQ(err, "");
}

// cron has a short PATH, and takes % for the end of a command.
TEST_F(ArchiveUnits, CronLineRunsThisProgram) {
  const std::string folder = home + "/my 100% tools";
  ASSERT_EQ(sh("mkdir \"" + folder + "\" && cp $H \"" + folder + "/holdfast\" && ln -s \"" + folder +
               "/holdfast\" $HOME/link && $HOME/link archive enable --json"),
            0)
      << err;
  if (field({"enabled"}) == "true") GTEST_SKIP() << "systemd is here, and the package is installed";
  const std::string before = "crontab -e, and add: */15 * * * * ";
  const std::string next = field({"next"});
  ASSERT_TRUE(next.starts_with(before)) << next;
  const std::string line = next.substr(before.size());
  EXPECT_EQ(line, "'" + home + "/my 100\\% tools/holdfast' archive run >/dev/null");
  std::ofstream(home + "/line") << line << "\n";
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"a prompt\"");
  ASSERT_EQ(sh("cd / && sed 's/\\\\%/%/g' $HOME/line | PATH= /bin/sh && $H archive status"), 0) << err;
  EXPECT_TRUE(out.starts_with("1 session, ")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
