// An unset variable of a script must not mean the current directory, every store or no limit.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct EmptyArguments : CliHome {
  // Runs "holdfast ARGS" in a project, and expects a refusal that changes nothing.
  void refused(const std::string& args, const std::string& message) {
    EXPECT_EQ(sh("cd $HOME/p && $H " + args), 2) << args << "\n" << out << err;
    EXPECT_TRUE(err.contains(message)) << args << "\n" << err;
    ASSERT_EQ(sh("cd $HOME/p && $H session list"), 0) << args << err;
    EXPECT_TRUE(out.contains("kept")) << args << "\n" << out;
  }
};

TEST_F(EmptyArguments, AreNoProjects) {
  ASSERT_EQ(sh("mkdir $HOME/p $HOME/nas && cd $HOME/p && $H init && $H session create --project $PWD --title kept"), 0)
      << err;
  ASSERT_EQ(sh("$H remote add nas dir:$HOME/nas"), 0) << err;
  refused("project remove '' --yes", "project remove needs a PROJECT, but it is empty");
  refused("project add ''", "but it is empty");
  refused("remote share '' --with nas", "remote share needs a PROJECT, but it is empty");
  refused("remote unshare '' --with nas", "but it is empty");
  refused("init ''", "init needs a path, but it is empty");
  refused("import ''", "import needs a FILE, or - for standard input, but it is empty");
  refused("session list --project ''", "--project needs a path, but is empty");
  ASSERT_EQ(sh("$H remote list --json"), 0) << err;
  EXPECT_FALSE(out.contains(home + "/p")) << out;
}

TEST_F(EmptyArguments, AreNoValuesOfOptions) {
  ASSERT_EQ(sh("mkdir $HOME/p && cd $HOME/p && $H session create --id s-1 --title kept && $H message append s-1 hi"), 0)
      << err;
  refused("resume s-1 --in codex --project '' --dry-run", "--project needs a value, but is empty");
  refused("resume s-1 --in= --print", "--in needs a value, but is empty");
  refused("tail s-1 --store ''", "--store needs a value, but is empty");
  refused("serve --socket=", "--socket needs a value, but is empty");
}

}  // namespace
}  // namespace holdfast::inline v1
