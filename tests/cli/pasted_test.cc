// Suggested commands work when they are pasted: they name the store that was named.
#include "tests/cli/cli_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

struct SuggestedCommands : CliHome {
  // Runs the command that standard error or standard output suggests, from "holdfast " to `end`, with $H.
  int paste(const std::string& text, const std::string& end) {
    const std::size_t from = text.find("holdfast ", text.starts_with("holdfast: ") ? 10 : 0);
    EXPECT_NE(from, std::string::npos) << text;
    if (from == std::string::npos) return -1;
    const std::size_t to = text.find(end, from);
    EXPECT_NE(to, std::string::npos) << text;
    return sh("$H " + text.substr(from + 9, to == std::string::npos ? to : to - from - 9));
  }
};

TEST_F(SuggestedCommands, RescueNamesTheShownSession) {
  ASSERT_EQ(sh("$H session create --id native && $H message append native 'native text' && "
               "$H store create --store open-agent:$HOME/o && "
               "U=$($H session create --store open-agent:$HOME/o --project /tmp --json | "
               "sed 's/.*\"id\":\"\\([^\"]*\\)\".*/\\1/') && $H message append $U first --store open-agent:$HOME/o && "
               "printf '{\"type\":\"us' >> $(ls $HOME/o/projects/*/$U.jsonl) && "
               "$H message append $U second --store open-agent:$HOME/o && echo $U > $HOME/u"),
            0)
      << out << err;
  std::string id = text("u");
  id.pop_back();
  for (const std::string& named : {std::string(), std::string("@last"), id.substr(0, 8)}) {
    ASSERT_EQ(sh("rm -f FILE; $H show " + named + " --store open-agent:$HOME/o"), 0) << out << err;
    EXPECT_TRUE(err.contains("holdfast rescue --store open-agent:" + home + "/o open-agent/" + id +
                             " -o FILE to write a clean copy"))
        << err;
    ASSERT_EQ(paste(err, " to write"), 0) << out << err;
    EXPECT_TRUE(text("desk/FILE").contains("first")) << text("desk/FILE");
    EXPECT_FALSE(text("desk/FILE").contains("native")) << text("desk/FILE");
  }
}

TEST_F(SuggestedCommands, RestoreNamesTheStoreAndWorks) {
  ASSERT_EQ(sh("$H store create --store holdfast:$HOME/h && $H session create --id s-1 --store holdfast:$HOME/h"), 0);
  EXPECT_EQ(sh("$H rm s-1 --store holdfast:$HOME/h --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("holdfast restore --store holdfast:" + home + "/h holdfast/s-1 brings it back")) << out;
  ASSERT_EQ(sh("$H rm s-1 --yes --store holdfast:$HOME/h"), 0) << err;
  EXPECT_EQ(out, "moved s-1 to the trash; run holdfast restore --store holdfast:" + home +
                     "/h holdfast/s-1 to bring it back\n");
  EXPECT_EQ(paste(out, " to bring"), 0) << out << err;
  EXPECT_EQ(sh("$H show s-1 --store holdfast:$HOME/h"), 0) << err;
}

TEST_F(SuggestedCommands, SearchNamesTheAgentIfTheIdWouldOpenAnotherSession) {
  ClaudeLog log(home, "aaaa0001-0000-4000-8000-000000000001");
  log.prompt("first");
  ASSERT_EQ(sh("$H export aaaa --format json > x.json"), 0) << err;
  log.prompt("later zebra");
  ASSERT_EQ(sh("$H search zebra"), 0) << err;
  EXPECT_TRUE(err.contains("holdfast show ID --at N")) << err;
  ASSERT_EQ(sh("$H import x.json && $H search zebra"), 0) << err;  // the copy has the same id
  EXPECT_TRUE(err.contains("1 hit in 1 session; open one with holdfast show LAYOUT/ID --at N\n")) << err;
  // A hit in the copy needs it as well.
  ASSERT_EQ(sh("$H search first --layout holdfast"), 0) << err;
  EXPECT_TRUE(err.contains("holdfast show LAYOUT/ID --at N\n")) << err;
  ASSERT_EQ(sh("$H show claude-code/aaaa0001-0000-4000-8000-000000000001 --at 1"), 0) << err;
  EXPECT_TRUE(out.contains("later zebra")) << out;
}

TEST_F(SuggestedCommands, SearchSuggestsShowWithTheNamedStore) {
  ASSERT_EQ(sh("$H store create --store holdfast:$HOME/h && $H session create --id s-1 --store holdfast:$HOME/h && "
               "$H message append s-1 'an apple' --store holdfast:$HOME/h"),
            0)
      << err;
  ASSERT_EQ(sh("$H search apple --store holdfast:$HOME/h"), 0) << err;
  EXPECT_EQ(err, "1 hit in 1 session; open one with holdfast show --store holdfast:" + home + "/h ID --at N\n");
  ASSERT_EQ(sh("$H search apple"), 1) << "nothing in the default store";
  ASSERT_EQ(sh("HOLDFAST_STORE=holdfast:$HOME/h $H search apple"), 0) << err;
  EXPECT_EQ(err, "1 hit in 1 session; open one with holdfast show ID --at N\n") << "nothing was named";
}

TEST_F(SuggestedCommands, QueueInitWorksWithQuotedDirectory) {
  ASSERT_EQ(sh("mkdir 'a b' && $H store create --store maestro:$HOME/m && "
               "$H queue receive --directory 'a b' --store maestro:$HOME/m"),
            3)
      << out << err;
  EXPECT_TRUE(err.contains("holdfast queue init --directory '" + home + "/desk/a b' to turn it into one")) << err;
  EXPECT_EQ(paste(err, " to turn"), 0) << out << err;
  EXPECT_EQ(sh("$H queue receive --directory 'a b' --store maestro:$HOME/m"), 0) << out << err;
  EXPECT_EQ(out, "nothing to receive\n");
}

// An import of one's own export has the same id.
TEST_F(SuggestedCommands, NameTheAgentOfASession) {
  const std::string id = "bbbbbbbb-0000-4000-8000-000000000001";
  ClaudeLog log(home, id);
  log.prompt("begin");
  log.prompt("first try");
  log.go_back(1);
  log.prompt("second try");
  ASSERT_EQ(sh("$H export bbbb --format json > t.json && $H archive run && $H import t.json"), 0) << err;
  EXPECT_EQ(sh("$H show bbbb"), 3) << out;
  ASSERT_EQ(sh("$H show claude-code/bbbb"), 0) << err;
  EXPECT_EQ(err,
            "warning: 1 message of other branches, or replaced by a compaction, not shown; run holdfast show "
            "claude-code/" +
                id + " --branch all to show all\n");
  ASSERT_EQ(paste(err, " to show"), 0) << err;
  EXPECT_TRUE(out.contains("first try")) << out;
  // The same where one is in the trash, the other only in the archive.
  ASSERT_EQ(sh("rm '" + log.path + "' && $H rm holdfast/" + id + " --yes"), 0) << err;
  const std::string moved = out;
  EXPECT_EQ(moved, "moved " + id + " to the trash; run holdfast restore holdfast/" + id + " to bring it back\n");
  EXPECT_NE(sh("$H resume bbbb"), 0) << out << err;
  EXPECT_TRUE(err.contains("holdfast restore claude-code/" + id +
                           " to bring it back to its agent, or holdfast resume "
                           "claude-code/" +
                           id + " --in AGENT"))
      << err;
  ASSERT_EQ(paste(err, " to bring"), 0) << out << err;
  EXPECT_TRUE(std::filesystem::exists(log.path));
  EXPECT_EQ(sh("$H show holdfast/" + id), 3) << "still in the trash: " << out;
  ASSERT_EQ(paste(moved, " to bring"), 0) << out << err;
  EXPECT_EQ(sh("$H show holdfast/" + id), 0) << err;
}

TEST_F(SuggestedCommands, WriteAHandOffElsewhere) {
  const std::string id = "bbbbbbbb-0000-4000-8000-000000000001";
  claude(id, "\"hello\"");
  EXPECT_EQ(sh("$H handoff bbbb --to opencode --project $HOME --last 1 --redact"), 2) << out;
  EXPECT_TRUE(err.contains("; run holdfast handoff claude-code/" + id + " --to opencode --project " + home +
                           " --last 1 --redact -o DIR to write the file for it\n"))
      << err;
  EXPECT_EQ(paste(err, " to write"), 0) << out << err;
  EXPECT_TRUE(std::filesystem::exists(home + "/desk/DIR"));
  EXPECT_EQ(sh("rm -r DIR; $H handoff bbbb --to pi --project $HOME"), 3) << out;
  EXPECT_TRUE(err.contains("start it once, or run holdfast handoff claude-code/" + id + " --to pi --project " + home +
                           " -o DIR to write elsewhere\n"))
      << err;
  EXPECT_EQ(paste(err, " to write"), 0) << out << err;
  EXPECT_TRUE(std::filesystem::exists(home + "/desk/DIR"));
}

TEST_F(SuggestedCommands, DoctorListsWhereItLooks) {
  ASSERT_EQ(sh("$H ls"), 1);
  EXPECT_EQ(err, "no sessions yet; run holdfast doctor to see which stores it looks at\n");
  ASSERT_EQ(paste(err, " to see"), 0) << err;
  EXPECT_TRUE(out.contains("There are no stores on this machine.\nHoldfast looks for them in\n")) << out;
  EXPECT_TRUE(out.contains("\n  Claude Code  ~/.claude\n") && out.contains("\n  Codex  ~/.codex\n")) << out;
  EXPECT_FALSE(out.contains(home)) << out;
}

TEST_F(SuggestedCommands, UnsetASetting) {
  EXPECT_EQ(sh("$H config set store ''"), 2) << out;
  EXPECT_EQ(err, "holdfast: store needs a value; run holdfast config unset store to remove it\n");
}

// A title that looks like a command stays the title.
TEST_F(SuggestedCommands, TitleThatLooksLikeCommandIsUnchanged) {
  ASSERT_EQ(sh("$H store create --store holdfast:$HOME/h && "
               "$H session create --id s-1 --title 'holdfast show ID' --store holdfast:$HOME/h"),
            0)
      << err;
  EXPECT_TRUE(out.contains("  holdfast show ID\n")) << out;
  EXPECT_EQ(sh("$H ls --tag none --store holdfast:$HOME/h"), 1) << out;
  EXPECT_FALSE(err.contains("--store")) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
