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

TEST_F(Attacked, AKeyOfHalfASurrogatePairIsKeptAsItIsSpelledOrRefused) {
  for (const std::string layout : {"holdfast", "open-agent", "linggen"}) {
    const std::string where = store_of(layout);
    std::ofstream(home + "/call")
        << R"({"session":"@last","message":{"role":"assistant","blocks":[{"type":"tool_call","id":"c","name":"n",)"
        << R"("input":{ "\ud800" : 1, "\ud801":{"in":2}}}]}})";
    EXPECT_EQ(
        user(where + "$H call message.append @$HOME/call $S && $H call message.list '{\"session\":\"@last\"}' $S"), 0)
        << layout << err;
    EXPECT_TRUE(out.contains(R"({"\ud800":1,"\ud801":{"in":2}})")) << layout << out;
    EXPECT_FALSE(out.contains("\xEF\xBF\xBD")) << layout << out;
    std::ofstream(home + "/extra")
        << R"({"session":"@last","message":{"role":"user","text":"t","extra":{"\ud800":1}}})";
    EXPECT_EQ(user(where + "$H call message.append @$HOME/extra $S"), 2) << layout << out;
    EXPECT_TRUE(err.contains("extra has a key that holds half of a surrogate pair")) << layout << err;
    std::ofstream(home + "/extra")
        << R"({"session":"@last","message":{"role":"user","text":"t","extra":{"a":{"\ud800":1}}}})";
    EXPECT_EQ(user(where + "$H call message.append @$HOME/extra $S && $H call message.list "
                           "'{\"session\":\"@last\"}' $S"),
              0)
        << layout << err;
    EXPECT_TRUE(out.contains(R"("extra":{"a":{"\ud800":1}})")) << layout << out;
    std::ofstream(home + "/made") << R"({"metadata":{"a":{"\ud800":1}}})";
    EXPECT_EQ(user(where + "$H call session.create @$HOME/made $S"), 2) << layout << out;
    EXPECT_TRUE(err.contains("metadata has a key")) << layout << err;
  }
  std::ofstream(home + "/raw")
      << R"({"session":"@last","message":{"role":"system","blocks":[{"type":"other","raw":{"\ud800":1}}]}})";
  EXPECT_EQ(user("$H session create && $H call message.append @$HOME/raw && $H call message.list "
                 "'{\"session\":\"@last\"}'"),
            0)
      << err;
  EXPECT_TRUE(out.contains(R"({"\ud800":1})")) << out;
}

TEST_F(Attacked, NoRoomInTheTrashIsWhatIsSaid) {
  for (const std::string layout : {"holdfast", "open-agent", "linggen", "maestro"}) {
    const std::string where = store_of(layout);
    const std::string removed = "$HOME/" + layout + (layout == "holdfast" ? "/.side" : "/.holdfast") + "/removed";
    for (const char* mode : {"000", "555"}) {
      ASSERT_EQ(user("mkdir -p " + removed + " && chmod " + mode + " " + removed), 0) << err;
      EXPECT_EQ(user(where + "$H rm @last --yes $S"), 5) << layout << mode << out << err;
      EXPECT_TRUE(err.contains("permission_denied") || err.contains("Permission denied")) << layout << mode << err;
      EXPECT_FALSE(err.contains("in the trash")) << layout << mode << err;
      EXPECT_EQ(user(where + "$H session show @last $S"), 0) << layout << err;
    }
  }
}

}  // namespace
}  // namespace holdfast::inline v1
