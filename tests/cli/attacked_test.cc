// Bugs found by attacks through the doors: links, half surrogates, files in place of folders, unwritable folders.
#include <filesystem>

#include "tests/cli/refused_testing.h"

namespace holdfast::inline v1 {
namespace {

using AttackRegressions = OrdinaryUser;

TEST_F(AttackRegressions, NoOperationWritesThroughLinkedFolder) {
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

TEST_F(AttackRegressions, LoneSurrogateInKeyIsPreservedOrRefused) {
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

TEST_F(AttackRegressions, UnwritableTrashFailsWithPermissionDenied) {
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

TEST_F(AttackRegressions, FileInPlaceOfFolderHidesNoOtherDamage) {
  for (const std::string layout : {"holdfast", "open-agent", "linggen"}) {
    const std::string where = store_of(layout);
    ASSERT_EQ(user(where + "mkdir -p $HOME/other && $H call session.create '{\"project\":\"'$HOME'/other\"}' $S"), 0)
        << err;
    const std::string gone = field({"id"});
    ASSERT_EQ(user(where + "$H message append " + gone + " gone $S"), 0) << layout << err;
    ASSERT_EQ(user("f=$(grep -l hello $(find $HOME/" + layout +
                   " -name '*.jsonl' -not -path '*/.*')) && "
                   "echo '{\"torn\":' >>$f"),
              0)
        << layout << err;
    ASSERT_EQ(
        user("f=$(grep -l gone $(find $HOME/" + layout + "/projects -name '*.jsonl')); cd $HOME/" + layout +
             "/projects; d=$(echo ${f#$HOME/" + layout + "/projects/} | cut -d/ -f1); rm -r ./$d && echo x >./$d"),
        0)
        << layout << err;
    EXPECT_EQ(user(where + "$H verify $S"), 4) << layout << out << err;
    EXPECT_TRUE(out.contains("torn") || err.contains("torn")) << layout << out << err;
  }
}

TEST_F(AttackRegressions, FileInPlaceOfRunsFolderIsCorrupt) {
  const std::string where = store_of("holdfast");
  ASSERT_EQ(user("cd $HOME/holdfast/projects/*/sessions && d=$(ls) && mv $d $HOME/aside && echo x >$d"), 0) << err;
  EXPECT_EQ(user(where + "$H call run.start '{\"project\":\"'$HOME'/desk\",\"agent\":\"a\"}' $S"), 0) << err;
  ASSERT_EQ(user("cd $HOME/holdfast/projects/*/ && rm -r runs && echo x >runs"), 0) << err;
  EXPECT_EQ(user(where + "$H call run.start '{\"project\":\"'$HOME'/desk\",\"agent\":\"a\"}' $S"), 4) << out << err;
  EXPECT_TRUE(err.contains("\"code\":\"corrupt\"")) << err;
  EXPECT_EQ(user("$H ls --store holdfast:$HOME/as_user"), 2) << out << err;
}

TEST_F(AttackRegressions, ShowsUnknownMembersOfMaestroMessage) {
  const std::string where = store_of("maestro");
  std::ofstream(home + "/raw") << R"({"session":"@last","raw":{"type":"message","id":"zz","role":"user",)"
                               << R"("content":"hidden","zzz":[1.0]}})";
  EXPECT_EQ(user(where + "$H call message.append @$HOME/raw $S && $H call message.list '{\"session\":\"@last\"}' $S"),
            0)
      << err;
  EXPECT_TRUE(out.contains("hidden") && out.contains("\"zzz\":[1.0]")) << out;
}

TEST_F(AttackRegressions, ClearFailsIfChecksumsCannotBeRemoved) {
  const std::string where = store_of("linggen");
  ASSERT_EQ(user("chmod 000 $HOME/linggen/.holdfast/sums"), 0) << err;
  EXPECT_EQ(user(where + "$H session clear @last --yes $S"), 5) << out << err;
  ASSERT_EQ(user("chmod 700 $HOME/linggen/.holdfast/sums"), 0) << err;
  EXPECT_EQ(user(where + "$H verify $S"), 0) << out << err;
  EXPECT_EQ(user(where + "$H session show @last $S"), 0) << err;
  EXPECT_TRUE(out.contains("hello")) << out;
}

TEST_F(AttackRegressions, FailedLopenDeletionRemovesNothing) {
  const std::string where = "S='--store lopen:" + home + "/lopen'\n";
  const std::string create = "$H call session.create '{\"metadata\":{\"module\":\"auth\"}}' $S";
  ASSERT_EQ(user(where + "mkdir $HOME/lopen && $H store create $S && " + create + " && " + create), 0) << err;
  ASSERT_EQ(user(where + "$H call task.add '{\"session\":\"@last\",\"id\":\"m\",\"type\":\"module\"}' $S"), 0) << err;
  ASSERT_EQ(user(where + "$H ls --json $S"), 0) << err;
  const std::string listed = out;
  ASSERT_EQ(user("chmod 555 $HOME/lopen/.lopen/.holdfast"), 0) << err;
  EXPECT_EQ(user(where + "$H session delete @last --yes $S"), 5) << out << err;
  EXPECT_EQ(user(where + "$H ls --json $S"), 0) << err;
  EXPECT_EQ(out, listed);
  ASSERT_EQ(user("chmod 755 $HOME/lopen/.lopen/.holdfast"), 0) << err;
  EXPECT_EQ(user(where + "$H session delete @last --yes $S && $H verify $S"), 0) << out << err;
}

TEST_F(AttackRegressions, NextWriteAnywhereRepairsUnwrittenIndex) {
  const std::string where = store_of("open-agent");
  ASSERT_EQ(user("chmod 555 $HOME/open-agent/projects/*"), 0) << err;
  ASSERT_EQ(user(where + "$H session create --project $HOME/desk --json $S"), 0) << err;
  const std::string id = field({"id"});
  ASSERT_EQ(user("chmod 755 $HOME/open-agent/projects/*"), 0) << err;
  EXPECT_EQ(user(where + "$H verify $S"), 0) << "it is known to be due: " << out << err;
  EXPECT_TRUE(out.contains("it does not list session " + id)) << out;
  EXPECT_EQ(user(where + "mkdir -p $HOME/other && $H session create --project $HOME/other $S && $H verify $S"), 0)
      << out << err;
  EXPECT_FALSE(out.contains("it does not list")) << out;
  EXPECT_EQ(user("grep -l " + id + " $HOME/open-agent/projects/*/sessions-index.json"), 0) << err;
}

TEST_F(AttackRegressions, FailsIfMemoryLineCannotBeWritten) {
  ASSERT_EQ(user("mkdir -p $HOME/flow/.claude && echo '# M' >$HOME/flow/.claude/MEMORY.md && cd $HOME/flow/.claude && "
                 "chmod 444 MEMORY.md && chmod 555 ."),
            0)
      << err;
  for (const char* call :
       {R"(memory.learn '{"text":"a line"}')", R"(delegation.record '{"agent":"a","task":"a line"}')"}) {
    EXPECT_EQ(user("$H call --store workflow:$HOME/flow " + std::string(call)), 5) << call << out << err;
    EXPECT_EQ(out, "") << call;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
