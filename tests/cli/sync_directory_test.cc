// A directory as remote, as people have them: of somebody else, and for a whole team.
#include <sys/stat.h>

#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncDirectory : TwoMachines {
  static int mode_of(const fs::path& path) { return static_cast<int>(fs::status(path).permissions()) & 07777; }
};

TEST_F(SyncDirectory, WhoMayWriteInTheDirectoryCanReadWhatIsInItAndNobodyElse) {
  fs::permissions(home + "/share", fs::perms(0777));
  share_from_a();
  for (const auto& entry : fs::recursive_directory_iterator(home + "/share")) {
    const bool top = entry.path().parent_path() == home + "/share";
    EXPECT_EQ(mode_of(entry), entry.is_directory() ? (top ? 0777 : 0755) : 0644) << entry.path();
  }
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_TRUE(out.contains("received 1 session")) << out;
  // In a directory of one person everything is as private as before, even where others may look into it.
  fs::create_directory(home + "/own");
  fs::permissions(home + "/own", fs::perms(0755));
  ASSERT_EQ(on("b", "remote add own dir:" + home + "/own"), 0) << err;
  EXPECT_EQ(mode_of(home + "/own/holdfast-remote.json"), 0600);
}

// Root may write anywhere, so this needs another user to be meaningful.
TEST_F(SyncDirectory, ADirectoryOfSomebodyElseIsARemoteLikeAnother) {
  if (::geteuid() != 0 || sh("setpriv --reuid=65534 --clear-groups test -x $H") != 0)
    GTEST_SKIP() << "cannot become another user";
  fs::permissions(home, fs::perms(0755));
  ASSERT_EQ(sh("chown -R 65534 $HOME/a"), 0) << err;
  for (const auto& [mode, made] : {std::pair(0777, true), std::pair(01777, true), std::pair(0755, false)}) {
    const std::string name = "share" + std::to_string(mode);
    fs::create_directory(home + "/" + name);
    fs::permissions(home + "/" + name, fs::perms(mode));
    const int code = sh("cd $HOME/a && env HOME=$HOME/a setpriv --reuid=65534 --clear-groups $H remote add nas" +
                        std::to_string(mode) + " dir:" + home + "/" + name);
    EXPECT_EQ(code, made ? 0 : 7) << mode << err;
    EXPECT_FALSE(err.contains("not there")) << err;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
