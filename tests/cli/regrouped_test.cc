// Sessions of Open Agent that are moved to the folder of another project: everything that belongs to the log goes
// along.
#include "tests/cli/rpc_process_testing.h"
#include "tests/cli/shell_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct Regrouped : Shell {
  Regrouped() : Shell("desk") {}
  std::string store() const { return " --store open-agent:" + home + "/oa"; }
  void create() {
    ASSERT_EQ(sh("$H session create --project /srv/a --json" + store()), 0) << err;
    id = field({"id"});
    ASSERT_EQ(sh("$H message append " + id + " hello" + store()), 0) << err;
  }
  void move_to(const std::string& project) {
    ASSERT_EQ(sh("$H session regroup " + id + " --project " + project + store()), 0) << err;
  }
  std::string log_in(const std::string& folder) const { return home + "/oa/projects/" + folder + "/" + id + ".jsonl"; }
  // How many files in this part of the side folder are not empty.
  std::size_t files_in(const std::string& folder) const {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/oa/.holdfast/" + folder))
      count += entry.is_regular_file() && entry.file_size() > 0 ? 1 : 0;
    return count;
  }

  std::string id;
};

TEST_F(Regrouped, ThereAndBackIsNoDamage) {
  create();
  move_to("/srv/b");
  ASSERT_EQ(sh("$H session end " + id + store()), 0) << err;
  move_to("/srv/a");
  EXPECT_EQ(sh("$H verify" + store()), 0) << out << err;
}

TEST_F(Regrouped, ChangedLetterIsStillFound) {
  create();
  move_to("/srv/b");
  EXPECT_EQ(files_in("sums"), 1u) << "they moved with the log";
  ASSERT_EQ(sh("$H session end " + id + store()), 0) << err;
  EXPECT_EQ(sh("$H verify" + store()), 0) << out << err;
  ASSERT_EQ(sh("sed -i s/hello/hallo/ " + log_in("-srv-b")), 0) << err;
  EXPECT_EQ(sh("$H verify" + store()), 4) << out << err;
}

TEST_F(Regrouped, NothingStaysAtTheOldPlace) {
  create();
  fs::create_directories(home + "/oa/projects/-srv-a/" + id + "/tool-results");
  move_to("/srv/b");
  EXPECT_FALSE(fs::exists(home + "/oa/projects/-srv-a/" + id));
  ASSERT_EQ(sh("$H session delete " + id + " --yes" + store()), 0) << err;
  EXPECT_EQ(files_in("sums"), 0u);
}

}  // namespace
}  // namespace holdfast::inline v1
