// Who may end and delete a run: its owner, while that lives.
#include "tests/cli/shell_testing.h"

namespace holdfast::inline v1 {
namespace {

struct RunOwner : Shell {
  RunOwner() : Shell("desk") {}
  void TearDown() override {
    if (!owner.empty()) sh("kill " + owner);
    Shell::TearDown();
  }
  // Runs a call for an owner that lives until the end of the test.
  void own(const std::string& call) {
    ASSERT_EQ(sh("sleep 300 >/dev/null 2>&1 & echo $! > pid"), 0);
    owner = text("desk/pid");
    owner.pop_back();
    ASSERT_EQ(sh("$H call " + call + " --owner-pid " + owner + store), 0) << err;
  }

  std::string owner, store;
};

// Only its owner ends a run, and nobody deletes it under the owner; a person can cancel it.
TEST_F(RunOwner, RunOfALivingProcessIsItsOwn) {
  for (const std::string layout : {"linggen", "holdfast"}) {
    store = " --store " + layout + ":$HOME/" + layout;
    ASSERT_EQ(sh("mkdir -p p"), 0);
    const std::string project = home + "/desk/p";
    own("run.start '{\"project\":\"" + project + "\",\"agent\":\"ling\"}'");
    const std::string run = field({"run", "id"});
    const std::string finish = "run finish " + run + " --project p";
    for (const std::string& line :
         {std::string("project remove p --yes"), "record delete run " + run + " --project p --yes", finish}) {
      EXPECT_EQ(sh("$H " + line + store), 6) << line << out;
      EXPECT_EQ(err, "holdfast: the run is in use by process " + owner + " (" + run + ")\n") << line;
    }
    ASSERT_EQ(sh("$H call run.finish '{\"id\":\"" + run + "\",\"project\":\"" + project + "\"}' --owner-pid " + owner +
                 store),
              0)
        << err;
    EXPECT_EQ(field({"run", "status"}), "completed") << out;
    ASSERT_EQ(sh("kill " + owner), 0);
    own("run.start '{\"project\":\"" + project + "\",\"agent\":\"ling\"}'");
    EXPECT_EQ(sh("$H run cancel " + field({"run", "id"}) + " --project p" + store), 0) << err;
    ASSERT_EQ(sh("kill " + owner), 0);
    owner.clear();
    EXPECT_EQ(sh("$H record delete run " + run + " --project p --yes" + store), 0) << err;
    ASSERT_EQ(sh("$H mission set 'first' --project p --json" + store), 0) << err;
    EXPECT_EQ(sh("$H call record.delete '{\"kind\":\"mission\",\"id\":\"1\",\"project\":\"" + project + "\"}'" + store),
              2)
        << out;
    EXPECT_TRUE(err.contains("records of kind mission have their own rules: call mission.clear")) << err;
  }
}

// Its lease is no session's.
TEST_F(RunOwner, DoctorTellsWhatBecomesOfRunOfDeadProcess) {
  store = " --store linggen:$HOME/linggen";
  ASSERT_EQ(sh("mkdir -p p"), 0);
  own("run.start '{\"project\":\"" + home + "/desk/p\",\"agent\":\"ling\"}'");
  ASSERT_EQ(sh("kill " + owner + "; while kill -0 " + owner + " 2>&-; do sleep 0.1; done"), 0);
  owner.clear();
  (void)sh("for i in 1 2 3 4 5 6 7 8 9; do $H doctor" + store +
           " > said; grep -q 'is gone' said && break; sleep 0.3; "
           "done");
  const std::string said = text("desk/said");
  EXPECT_TRUE(said.contains("is gone; the next change there marks the run as failed")) << said;
  EXPECT_FALSE(said.contains("until it is continued")) << said;
}

}  // namespace
}  // namespace holdfast::inline v1
