// One directory is one project, however its path is written.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct ProjectPaths : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    std::filesystem::create_directories(home + "/real");
    std::filesystem::create_directory_symlink(home + "/real", home + "/link");
  }
};

TEST_F(ProjectPaths, SymlinkAndTargetAreOneProject) {
  ASSERT_EQ(sh("$H mission set 'All green' --project ~/link"), 0) << err;
  EXPECT_EQ(sh("$H mission get --project ~/real --json"), 0) << err;
  EXPECT_EQ(field({"mission", "text"}), "All green");
  ASSERT_EQ(sh("$H permission allow Bash --project ~/link"), 0) << err;
  EXPECT_EQ(sh("$H permission list --project ~/real --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1");
  ASSERT_EQ(sh("$H permission revoke Bash --project ~/real/../link/."), 0) << err;
  EXPECT_EQ(sh("$H permission list --project ~/link --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "0");
  ASSERT_EQ(sh("$H run start --agent coder --project ~/link"), 0) << err;
  EXPECT_EQ(sh("$H run list --project ~/real --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1");
  EXPECT_EQ(sh("$H project list --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
}

TEST_F(ProjectPaths, PermissionCommandsNeedAProject) {
  ASSERT_EQ(sh("$H permission allow Bash --project ~/real"), 0) << err;
  for (const char* const verb : {"list", "allow Bash", "allow Read", "revoke Bash", "revoke Read"}) {
    EXPECT_EQ(sh("$H permission " + std::string(verb)), 2) << verb << out;
    EXPECT_NE(err.find("a permission needs a project"), std::string::npos) << verb << err;
  }
  EXPECT_EQ(sh("$H permission list --project ~/desk --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "0");
}

TEST_F(ProjectPaths, SessionsAreListedUnderSymlinkAndTarget) {
  ASSERT_EQ(sh("$H session create --project ~/link --title one"), 0) << err;
  for (const char* const spelled : {"link", "real"}) {
    EXPECT_EQ(sh("$H ls --json --project ~/" + std::string(spelled)), 0) << err;
    EXPECT_EQ(field({"total"}), "1") << spelled << out;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
