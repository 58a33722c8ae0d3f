// The completions and the man pages, with the programs that read them.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/paths_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ShellCompletion : testing::Test {
  void SetUp() override {
    char name[] = "/tmp/holdfast_shell_XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    home = name;
    fs::create_directories(home + "/bin");
    fs::create_directories(home + "/desk/folder");
    fs::create_symlink(paths::binary(), home + "/bin/holdfast");
  }
  void TearDown() override {
    if (!home.empty()) fs::remove_all(home);
  }
  int bash(const std::string& script) {
    std::ofstream(home + "/script") << "cd " << home << "/desk\n" << script << "\n";
    const std::string command = "env -i HOLDFAST_LOCK_ORDER=abort LC_ALL=C.UTF-8 PATH=" + home +
                                "/bin:/usr/bin:/bin HOME=" + home + " bash " + home + "/script >" + home +
                                "/out 2>&1 </dev/null";
    const int status = std::system(command.c_str());
    std::ifstream file(home + "/out", std::ios::binary);
    out = {std::istreambuf_iterator<char>(file), {}};
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  // Returns what bash offers for the line with the cursor at its end; `words` is the line as bash splits it.
  std::string offers(const std::string& line, const std::string& words) {
    EXPECT_EQ(bash("eval \"$(holdfast completions bash)\"\ncomplete -p holdfast >/dev/null || exit 9\n"
                   "COMP_LINE='" +
                   line + "' COMP_POINT=" + std::to_string(line.size()) + "\nCOMP_WORDS=(" + words +
                   ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_holdfast\nprintf '%s\\n' \"${COMPREPLY[@]}\""),
              0)
        << out;
    return out;
  }
  bool installed(const std::string& program) { return bash("command -v " + program) == 0; }

  std::string home;
  std::string out;
};

TEST_F(ShellCompletion, BashCompletes) {
  EXPECT_EQ(offers("holdfast dem", "holdfast dem"), "demo\n");
  EXPECT_EQ(offers("holdfast stats --by mo", "holdfast stats --by mo"), "month\nmodel\n");
  EXPECT_EQ(offers("holdfast stats --by=mo", "holdfast stats --by = mo"), "month\nmodel\n");
  EXPECT_EQ(offers("holdfast stats --by=", "holdfast stats --by ="),
            "day\nweek\nmonth\nsession\nmodel\nproject\nagent\n");
  EXPECT_EQ(offers("holdfast session cre", "holdfast session cre"), "create\n");
  EXPECT_EQ(offers("holdfast init ", "holdfast init ''"), "folder\n");
  EXPECT_EQ(offers("holdfast ls --limit ", "holdfast ls --limit ''"), "\n") << "nobody knows the number";
}

// Freed memory is overwritten here, so an answer that is read after it was freed is wrong.
TEST_F(ShellCompletion, CompletesIdsWithoutUseAfterFree) {
  ASSERT_EQ(bash("for i in 1 2 3; do holdfast session create --title 'A title of some length' > /dev/null; done"), 0);
  ASSERT_EQ(bash("MALLOC_PERTURB_=85 holdfast complete -- show ''"), 0) << out;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 5) << out;
  EXPECT_NE(out.find("holdfast  A title of some length"), std::string::npos) << out;
}

TEST_F(ShellCompletion, OffersNoShellExpansions) {
  fs::create_directories(home + "/desk/$(touch ran)/.claude");
  ASSERT_EQ(bash("cd '$(touch ran)' && holdfast complete -- ls --store ''"), 0) << out;
  EXPECT_EQ(out.find('$'), std::string::npos) << out;
}

TEST_F(ShellCompletion, BashCompletesWordsWithColonsAndAtSigns) {
  EXPECT_EQ(offers("holdfast show @la", "holdfast show @ la"), "last\n");
  EXPECT_EQ(offers("holdfast show @", "holdfast show @"), "last\n");
  ASSERT_EQ(
      bash("holdfast session create --title 'Ünï $(evil)' --json | sed 's/.*\"id\":\"\\([^\"]*\\)\".*/\\1/' | head -1"),
      0);
  const std::string id = out;
  EXPECT_EQ(offers("holdfast show ses", "holdfast show ses"), id);
  EXPECT_EQ(offers("holdfast ls --store holdfast:/", "holdfast ls --store holdfast : /"),
            home + "/.local/share/holdfast\n");
  EXPECT_EQ(offers("holdfast ls --store open-a", "holdfast ls --store open-a"), "open-agent:\n");
}

TEST_F(ShellCompletion, ScriptsAreWellFormed) {
  EXPECT_EQ(bash("holdfast completions bash | bash -n"), 0) << out;
  for (const std::string shell : {"zsh", "fish"}) {
    EXPECT_EQ(bash("holdfast completions " + shell + " > script && " + shell + " -n script"), 0) << out;
  }
  EXPECT_EQ(bash("holdfast completions"), 2);
  EXPECT_EQ(bash("holdfast completions bsh"), 2);
  EXPECT_NE(out.find("did you mean bash?"), std::string::npos) << out;
}

// Fish can be asked what it would offer.
TEST_F(ShellCompletion, FishCompletes) {
  ASSERT_TRUE(installed("fish")) << "./dev setup test installs it";
  std::ofstream(home + "/desk/a file.json") << "{}";
  std::ofstream(home + "/import.json") << "{}";
  const auto fish = [&](const std::string& line) {
    EXPECT_EQ(bash("holdfast completions fish > script.fish\nfish --no-config -c 'source script.fish; complete -C\"" +
                   line + "\"'"),
              0);
    return out;
  };
  EXPECT_EQ(fish("holdfast stats --by mo"), "month\nmodel\n");
  EXPECT_EQ(fish("holdfast import ~/im"), "~/import.json\n");
  EXPECT_EQ(fish("holdfast import a"), "a file.json\n");
  EXPECT_EQ(fish("holdfast init "), "folder/\tDirectory\n");
}

// What zsh gets; it draws the list itself.
TEST_F(ShellCompletion, ZshCompletes) {
  ASSERT_TRUE(installed("zsh")) << "./dev setup test installs it";
  const auto zsh = [&](const std::string& words) {
    EXPECT_EQ(bash("holdfast completions zsh > script.zsh\nzsh -f -c '_describe() { print -rl -- $described }\n"
                   "compdef() { }\nsource script.zsh\nwords=(" +
                   words + "); CURRENT=$#words; _holdfast'"),
              0);
    return out;
  };
  EXPECT_EQ(zsh("holdfast stats --by mo"), "month\nmodel\n") << "words without a description";
  EXPECT_EQ(zsh("holdfast show @"), "@last:the newest session\n");
  EXPECT_EQ(zsh("holdfast ls --store open-a"), "open-agent\\:\n");
}

TEST_F(ShellCompletion, ManPagesHaveNoWarnings) {
  EXPECT_EQ(bash("holdfast man nothing"), 2);
  EXPECT_EQ(bash("holdfast man lss"), 2);
  EXPECT_NE(out.find("did you mean ls?"), std::string::npos) << out;
  ASSERT_TRUE(installed("groff")) << "./dev setup test installs it";
  EXPECT_EQ(bash("set -e\nfor page in $(holdfast man --list); do topic=${page#holdfast}\n"
                 "holdfast man ${topic#-} > page.1\ngroff -man -ww -Tutf8 -rLL=80n -z page.1\n"
                 "groff -man -Tutf8 -P-cbou page.1 | grep -q NAME; done"),
            0)
      << out;
  EXPECT_EQ(out, "");
}

}  // namespace
}  // namespace holdfast::inline v1
