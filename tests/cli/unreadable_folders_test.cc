// What one user may not read costs only its own sessions, in the layouts that Holdfast writes.
#include "tests/cli/ordinary_user_testing.h"
#include "tests/cli/shell_testing.h"

namespace holdfast::inline v1 {
namespace {

struct UnreadableFolders : Shell {
  UnreadableFolders() : Shell("desk") {}

  // Two sessions with a message each, in the projects /p/one and /p/two; the second one is newer.
  void make(const std::string& layout) {
    store = " --store " + layout + ":$HOME/" + layout;
    ASSERT_EQ(sh("mkdir $HOME/" + layout + " && $H store create" + store), 0) << err;
    first = session_in("one", "alpha");
    ASSERT_EQ(sh("sleep 1.1"), 0);
    second = session_in("two", "beta");
    ASSERT_EQ(sh(give_home()), 0) << err;
  }
  std::string session_in(const std::string& project, const std::string& text) {
    EXPECT_EQ(sh("$H session create --no-lease --json --project /p/" + project + store), 0) << err;
    const std::string id = field({"id"});
    EXPECT_EQ(sh("$H message append " + id + " " + text + store), 0) << err;
    return id;
  }

  // Whether the printed list has the session.
  bool lists(const std::string& id) const { return out.contains("\"id\":\"" + id + "\""); }

  std::string store, first, second;
};

TEST_F(UnreadableFolders, HideNoOtherSession) {
  const std::string as = ordinary_holdfast();
  for (const std::string layout : {"holdfast", "linggen", "open-agent"}) {
    make(layout);
    const bool grouped = layout == "open-agent";  // logs are in the folder of the project
    for (const std::string folder : {"*one*", "*one*/sessions/*"}) {
      if (grouped && folder != "*one*") continue;
      SCOPED_TRACE(layout + " " + folder);
      const std::string path = "$(echo $HOME/" + layout + "/projects/" + folder + ")";
      ASSERT_EQ(sh("p=" + path + "; echo $p >$HOME/locked; chmod 000 $p"), 0) << err;
      EXPECT_EQ(sh(as + "session list --json" + store), 0) << err;
      EXPECT_TRUE(lists(second) && !lists(first)) << out;
      EXPECT_EQ(sh(as + "session list" + store), 0) << err;
      EXPECT_TRUE(err.contains("warning: projects/") && err.contains("what is in it is left out")) << err;
      EXPECT_EQ(sh(as + "search beta" + store), 0) << err;
      EXPECT_TRUE(out.contains("beta") && err.contains("left out")) << out << err;
      EXPECT_EQ(sh(as + "message append " + second + " more" + store), 0) << err;
      EXPECT_EQ(sh(as + "message append @last again" + store), 0) << err;
      EXPECT_EQ(sh(as + "show " + second + store), 0) << err;
      EXPECT_TRUE(out.contains("beta") && out.contains("again")) << out;
      EXPECT_EQ(sh(as + "show " + first + store), 5) << out << "not the same as a session that does not exist";
      EXPECT_EQ(sh(as + "verify" + store), 5) << out << err;
      // Of Open Agent, verify knows the session's name from elsewhere and says that it cannot be read.
      EXPECT_TRUE(out.contains(grouped ? "2 sessions," : "1 session,") && out.contains("permission_denied")) << out;
      ASSERT_EQ(sh("chmod 700 $(cat $HOME/locked)"), 0) << err;
      EXPECT_EQ(sh(as + "session list --json" + store), 0) << err;
      EXPECT_TRUE(lists(first) && lists(second) && !out.contains("left out")) << out << err;
    }
  }
}

TEST_F(UnreadableFolders, UnreadableIndexCostsNoSession) {
  const std::string as = ordinary_holdfast();
  make("open-agent");
  ASSERT_EQ(sh("chmod 000 $HOME/open-agent/projects/*two*/sessions-index.json"), 0) << err;
  EXPECT_EQ(sh(as + "session list --json" + store), 0) << err;
  EXPECT_TRUE(lists(first) && lists(second)) << out;
  EXPECT_EQ(sh(as + "session list" + store), 0) << err;
  EXPECT_TRUE(err.contains("sessions-index.json")) << err;
  EXPECT_EQ(sh(as + "show " + second + store), 0) << err;
  EXPECT_EQ(sh(as + "show @last" + store), 0) << err;
  EXPECT_TRUE(out.contains("beta")) << out;
}

// The warning names the file that cannot be read, not another one of the session.
TEST_F(UnreadableFolders, WarningNamesTheFile) {
  const std::string as = ordinary_holdfast();
  for (const auto& [layout, file] : {std::pair("holdfast", "session.json"), std::pair("linggen", "session.yaml")}) {
    SCOPED_TRACE(layout);
    make(layout);
    ASSERT_EQ(sh("chmod 000 $HOME/" + std::string(layout) + "/projects/*one*/sessions/*/" + file), 0) << err;
    EXPECT_EQ(sh(as + "session list" + store), 0) << err;
    EXPECT_TRUE(err.contains("/" + std::string(file) + ": cannot open for reading")) << err;
    // Its log is newer than its header: if it is the latest, no other session is taken for it.
    EXPECT_EQ(sh("touch $HOME/" + std::string(layout) + "/projects/*one*/sessions/*/messages.jsonl && " + as +
                 "message append @last x" + store),
              4)
        << out << err;
    EXPECT_TRUE(err.contains("the latest session cannot be read")) << err;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
