// What people read when another living process owns a session: one sentence, which names that process.
#include "tests/cli/shell_testing.h"

namespace holdfast::inline v1 {
namespace {

struct InUse : Shell {
  InUse() : Shell("desk") {}
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
  void expect_refused(const std::string& line, const std::string& id, const std::string& more = {}) {
    EXPECT_EQ(sh("$H " + line + store), 6) << line << out;
    EXPECT_EQ(err, "holdfast: the session is in use by process " + owner + more + " (" + id + ")\n") << line;
  }

  std::string owner, store;
};

TEST_F(InUse, LopenNamesTheOwnersProcess) {
  store = " --store lopen:$PWD/p";
  ASSERT_EQ(sh("mkdir -p p/.git"), 0);
  own("session.start '{\"module\":\"auth\"}'");
  const std::string id = field({"id"});
  for (const char* line : {"session start --module auth", "session resume @last", "session delete @last --yes"})
    expect_refused(line, id);
}

TEST_F(InUse, MaestroNamesTheOwnersProcess) {
  store = " --store maestro:$PWD/m";
  ASSERT_EQ(sh("$H thread create --project /p --json" + store), 0) << err;
  const std::string thread = field({"thread", "id"});
  own("thread.resume '{\"id\":\"" + thread + "\"}'");
  const std::string id = field({"session"});
  for (const std::string& line :
       {"thread resume " + thread, "thread delete " + thread + " --yes", std::string("session delete @last --yes"),
        std::string("message append @last hi"), std::string("session end @last")})
    expect_refused(line, id);
  expect_refused("session resume @last", id, "; use takeover to continue it anyway");
  ASSERT_EQ(sh("$H doctor" + store), 0) << err;
  EXPECT_TRUE(out.contains("session-" + id + ": process " + owner + ", since ")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
