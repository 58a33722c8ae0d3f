// Not readable does not mean deleted by an agent: `holdfast archive prune` and `holdfast archive run`.
#include "tests/cli/refused_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchivePrune : OrdinaryUser {
  void SetUp() override {
    OrdinaryUser::SetUp();
    claude(id, "\"a prompt\"");
    claude(other, "\"another\"");
    fs::create_directories(home + "/.claude/projects/-away");
    fs::rename(home + "/.claude/projects/-desk/" + other + ".jsonl",
               home + "/.claude/projects/-away/" + other + ".jsonl");
    ASSERT_EQ(user("$H archive run"), 0) << err;
  }
  std::string kept() {
    EXPECT_EQ(user("$H archive status --json"), 0) << err;
    return field({"sessions"});
  }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string other = "bbbbbbbb-0000-4000-8000-000000000002";
};

TEST_F(ArchivePrune, PrunesNothingIfDirectoryIsUnreadable) {
  for (const std::string folder : {"/.claude", "/.claude/projects", "/.claude/projects/-away"}) {
    SCOPED_TRACE(folder);
    ASSERT_EQ(user("chmod 000 $HOME" + folder), 0) << err;
    EXPECT_EQ(user("$H archive prune --keep-days 30 --yes --json"), 5) << out << err;
    EXPECT_EQ(field({"removed"}), "[]") << out;
    EXPECT_EQ(user("$H archive prune --keep-days 30 --yes"), 5) << out << err;
    EXPECT_TRUE(err.contains("cannot be read") && err.contains("claude-code:" + home + "/.claude")) << err;
    EXPECT_EQ(user("$H archive prune --keep-days 30 --dry-run"), 5) << out << err;
    ASSERT_EQ(user("chmod 700 $HOME" + folder), 0) << err;
  }
  EXPECT_EQ(kept(), "2");
  // A missing file beside an unreadable folder is kept too: it may have been moved there.
  fs::remove(home + "/.claude/projects/-desk/" + id + ".jsonl");
  ASSERT_EQ(user("chmod 000 $HOME/.claude/projects/-away"), 0) << err;
  EXPECT_EQ(user("$H archive prune --keep-days 30 --yes"), 5) << out << err;
  ASSERT_EQ(user("chmod 700 $HOME/.claude/projects/-away"), 0) << err;
  EXPECT_EQ(kept(), "2");
  EXPECT_EQ(user("$H archive prune --keep-days 30 --yes"), 0) << out << err;
  EXPECT_EQ(kept(), "1");
}

TEST_F(ArchivePrune, KeepsSessionMovedWithinItsStore) {
  fs::rename(home + "/.claude/projects/-desk/" + id + ".jsonl", home + "/.claude/projects/-away/" + id + ".jsonl");
  ASSERT_EQ(user("$H archive prune --keep-days 30 --yes --json"), 0) << err;
  EXPECT_EQ(field({"removed"}), "[]") << out;
}

TEST_F(ArchivePrune, WarnsOfMissingStoreBeforePruning) {
  for (const bool empty : {false, true}) {
    ASSERT_EQ(user("mv $HOME/.claude $HOME/away" + std::string(empty ? " && mkdir $HOME/.claude" : "")), 0) << err;
    EXPECT_EQ(user("$H archive prune --keep-days 30"), 2) << out;
    EXPECT_TRUE(err.contains(home + "/.claude is not there, or is empty") && err.contains("not mounted")) << err;
    EXPECT_EQ(kept(), "2");
    ASSERT_EQ(user("rm -rf $HOME/.claude && mv $HOME/away $HOME/.claude"), 0) << err;
  }
}

TEST_F(ArchivePrune, WarnsOfMissingFolderInStoreBeforePruning) {
  const std::string projects = "$HOME/.claude/projects";
  ASSERT_EQ(user("mkdir $HOME/.claude/todos"), 0) << err;
  const std::pair<std::string, std::string> cases[] = {
      {"mv " + projects + " $HOME/away", "/.claude/projects is not there"},
      {"mv " + projects + " $HOME/away && mkdir " + projects, "/.claude/projects is not there"},
      {"mv " + projects + " $HOME/away && ln -s /mnt/none/projects " + projects, "/.claude/projects is not there"},
      {"cp -r " + projects + " $HOME/away && rm -r " + projects + "/-away && ln -s /mnt/none/away " + projects +
           "/-away",
       "/.claude/projects/-away is not there"}};
  for (const auto& [change, named] : cases) {
    SCOPED_TRACE(change);
    ASSERT_EQ(user(change), 0) << err;
    EXPECT_EQ(user("$H archive prune --keep-days 30 --dry-run"), 0) << err;
    EXPECT_TRUE(out.contains(home + named) && out.contains("not mounted")) << out;
    EXPECT_EQ(user("$H archive prune --keep-days 30"), 2) << out;
    EXPECT_TRUE(err.contains(home + named) && err.contains("not mounted")) << err;
    EXPECT_EQ(kept(), "2");
    ASSERT_EQ(user("rm -rf " + projects + " && mv $HOME/away " + projects), 0) << err;
  }
  // An agent that deleted a session, or all sessions of a project, left the folder of all projects.
  ASSERT_EQ(user("rm -r " + projects + "/-away"), 0) << err;
  EXPECT_EQ(user("$H archive prune --keep-days 30 --dry-run"), 0) << err;
  EXPECT_FALSE(out.contains("not mounted")) << out;
}

TEST_F(ArchivePrune, ReadersReportUnreadableArchive) {
  fs::remove(home + "/.claude/projects/-desk/" + id + ".jsonl");
  const std::string archive = "$HOME/.local/share/holdfast/archive";
  for (const std::string place : {"/log.jsonl", "/packs", "/packs/000001.zst", ""}) {
    SCOPED_TRACE(place);
    ASSERT_EQ(user("chmod 000 " + archive + place), 0) << err;
    for (const std::string command : {"ls", "search another", "stats"}) {
      EXPECT_EQ(user("$H " + command), 0) << command << out << err;
      EXPECT_TRUE(err.contains("the archive cannot be read") && err.contains("what only the archive has is left out"))
          << command << err;
    }
    EXPECT_EQ(user("$H show aaaaaaaa"), 5) << out;
    EXPECT_TRUE(err.contains("no store has aaaaaaaa, and the archive cannot be read")) << err;
    EXPECT_EQ(user("$H show bbbbbbbb"), 0) << err;
    ASSERT_EQ(user("chmod 700 " + archive + place), 0) << err;
    EXPECT_EQ(user("$H show aaaaaaaa"), 0) << err;
  }
}

TEST_F(ArchivePrune, ForgetDoesNotAnswerForFilesItCannotRead) {
  claude(id, "\"it is hunter2\"");
  const std::string name = "projects/-desk/" + id + ".jsonl";
  ASSERT_EQ(user("chmod 000 $HOME/.claude/" + name), 0) << err;
  EXPECT_EQ(user("$H forget --match hunter2 --dry-run"), 1) << err;
  EXPECT_TRUE(out.contains("what could be read does not contain that text, but not everything could be read")) << out;
  EXPECT_TRUE(out.contains("could not read these files, and the text may be in them: ") && out.contains(name)) << out;
  EXPECT_EQ(user("$H forget --match hunter2 --yes"), 1) << err;
  EXPECT_TRUE(out.contains("what could be read does not contain that text, but not everything could be read")) << out;
  EXPECT_TRUE(err.contains(name) && err.contains("whether it contains the text is unknown")) << err;
  ASSERT_EQ(user("chmod 600 $HOME/.claude/" + name + " && $H forget --match hunter2 --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("remove 1 line for good")) << out;
}

TEST_F(ArchivePrune, RunReportsUnreadableAndCapturesTheRest) {
  std::ofstream(home + "/.claude/projects/-desk/" + id + ".jsonl", std::ios::app) << "{\"type\":\"mode\"}\n";
  ASSERT_EQ(user("chmod 000 $HOME/.claude/projects/-away"), 0) << err;
  EXPECT_EQ(user("$H archive run"), 5) << out << err;
  EXPECT_TRUE(out.contains("captured changes in 1 of 1 session: 1 file")) << out;
  EXPECT_TRUE(out.contains("but not everything could be read")) << out;
  EXPECT_TRUE(err.contains("projects/-away")) << err;
  ASSERT_EQ(user("$H archive status"), 0) << err;
  EXPECT_TRUE(err.contains("projects/-away")) << "what still cannot be read is a warning: " << err;
  ASSERT_EQ(user("chmod 700 $HOME/.claude/projects/-away && $H archive status"), 0) << err;
  const std::string line = "1 of 1 session had something new, but not everything could be read\n  projects/-away";
  EXPECT_TRUE(out.contains(line)) << "what the last run missed: " << out;
  ASSERT_EQ(user("$H archive status --json"), 0) << err;
  const JsonView last = JsonView(out).find("last_run");
  ASSERT_FALSE(last.find("findings").elements().empty()) << out;
  EXPECT_TRUE((*last.find("findings").elements().begin()).value.find("file").as_string()->contains("-away")) << out;
  ASSERT_EQ(user("chmod 700 $HOME/.claude/projects/-away && $H archive run && $H archive status"), 0) << out << err;
  EXPECT_TRUE(out.contains("nothing was missed\n") && !out.contains("-away")) << out;
  // A store that cannot be read is not a store that does not exist.
  ASSERT_EQ(user("mkdir -p $HOME/.codex/sessions && chmod 000 $HOME/.codex"), 0) << err;
  EXPECT_EQ(user("$H archive run"), 5) << out << err;
  EXPECT_TRUE(err.contains("codex:" + home + "/.codex")) << err;
}

// The files of a session in an unreadable folder are not gone.
TEST_F(ArchivePrune, FilesInUnreadableFolderAreNotMarkedGone) {
  const std::string folder = home + "/.claude/projects/-desk/" + id + "/tool-results";
  fs::create_directories(folder);
  std::ofstream(folder + "/x.txt") << "output";
  ASSERT_EQ(user("$H archive run"), 0) << err;
  ASSERT_EQ(user("chmod 000 " + folder), 0) << err;
  EXPECT_EQ(user("$H archive run"), 5) << out << err;
  EXPECT_TRUE(err.contains("tool-results")) << err;
  EXPECT_FALSE(text(".local/share/holdfast/archive/log.jsonl").contains("\"gone\":true"));
}

}  // namespace
}  // namespace holdfast::inline v1
