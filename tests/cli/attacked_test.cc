// What an attack through the doors found: links, half surrogates, files in the place of folders, a kill in an import.
#include <filesystem>

#include "tests/cli/refused_testing.h"

namespace holdfast::inline v1 {
namespace {

using Attacked = OrdinaryUser;

TEST_F(Attacked, AFolderThatIsALinkIsWrittenThroughByNoOperation) {
  ASSERT_EQ(sh("mkdir $HOME/project $HOME/victim && ln -s $HOME/victim $HOME/project/.claude"), 0) << err;
  for (const char* call : {R"(memory.learn '{"text":"PWNED"}')", R"(delegation.record '{"agent":"a","task":"PWNED"}')",
                           R"(initiative.create '{"name":"PWNED"}')"}) {
    EXPECT_EQ(sh("$H call --store workflow:$HOME/project " + std::string(call)), 2) << call << out << err;
    EXPECT_TRUE(err.contains("unsafe_path") || err.contains("invalid_argument")) << call << err;
    EXPECT_TRUE(std::filesystem::is_empty(home + "/victim")) << call;
  }
  EXPECT_EQ(sh("$H call --store workflow:$HOME/project memory.learn '{\"text\":\"PWNED\"}'"), 2);
  EXPECT_TRUE(err.contains("unsafe_path")) << err;
  ASSERT_EQ(sh("rm $HOME/project/.claude && mkdir $HOME/project/.claude"), 0) << err;
  EXPECT_EQ(sh("$H call --store workflow:$HOME/project memory.learn '{\"text\":\"fine\"}'"), 0) << out << err;
}

}  // namespace
}  // namespace holdfast::inline v1
