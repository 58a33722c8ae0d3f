// An archive whose log was cut or lost: it is not called intact, and what the missing lines may have named stays.
#include <random>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchiveLostLines : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    for (const std::string& one : {id, other, third}) claude(one, "\"a prompt of " + one + "\"");
    ASSERT_EQ(sh("$H archive run && cp -r $HOME/.claude $HOME/claude && cp $HOME/" + log + " $HOME/log"), 0) << err;
  }
  std::size_t pack_bytes() {
    EXPECT_EQ(sh("cat $HOME/" + archive + "/packs/*.zst | wc -c"), 0) << err;
    return std::stoul(out);
  }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string other = "bbbbbbbb-0000-4000-8000-000000000002";
  const std::string third = "cccccccc-0000-4000-8000-000000000003";
  const std::string archive = ".local/share/holdfast/archive";
  const std::string log = archive + "/log.jsonl";
};

TEST_F(ArchiveLostLines, KeepsWhatTheyNamed) {
  const std::size_t whole = pack_bytes();
  ASSERT_EQ(sh("rm -r $HOME/.claude && cp -r $HOME/" + archive + " $HOME/before"), 0) << err;
  // An older archive remembers nothing about its log.
  for (const std::string& older : {std::string(), "rm $HOME/" + archive + "/log-end.json; "}) {
    for (const std::string cut : {"sed -i 2,\\$d ", "truncate -s -30 ", "truncate -s 0 ", "rm "}) {
      SCOPED_TRACE(older + cut);
      ASSERT_EQ(sh(older + cut + "$HOME/" + log), 0) << err;
      EXPECT_EQ(sh("$H archive verify"), 4) << out;
      EXPECT_TRUE(out.contains("lines are missing from the log") && out.contains("in the packs")) << out;
      EXPECT_EQ(out.contains("the last line is not complete"), cut.contains("-30")) << out;
      EXPECT_EQ(sh("$H doctor"), 4) << out;
      EXPECT_TRUE(out.contains("lines are missing from the log of the archive")) << out;
      ASSERT_EQ(sh("$H archive status"), 0) << err;
      EXPECT_TRUE(err.contains("lines are missing from the log")) << err;
      EXPECT_EQ(sh("$H forget aaaaaaaa --yes"), 4) << out;
      EXPECT_TRUE(err.contains("nothing was forgotten") && err.contains("--drop-unnamed")) << err;
      ASSERT_EQ(sh("$H archive run"), 0) << err;
      EXPECT_TRUE(err.contains("lines are missing from the log")) << err;
      EXPECT_FALSE(err.contains("never acknowledged")) << err;
      ASSERT_EQ(sh("$H archive compact"), 0) << err;
      EXPECT_TRUE(err.contains("are kept") || err.contains("is kept")) << err;
      ASSERT_EQ(sh("$H archive prune --keep-days 1 --yes"), 0) << err;
      EXPECT_EQ(sh("$H archive verify"), 4) << out;
      // With the log from a backup, everything that was not pruned is there again.
      ASSERT_EQ(sh("cp $HOME/log $HOME/" + log + " && $H restore cccccccc --to $HOME/back"), 0) << err;
      EXPECT_EQ(text("back/projects/-desk/" + third + ".jsonl"), text("claude/projects/-desk/" + third + ".jsonl"));
      ASSERT_EQ(sh("rm -r $HOME/back $HOME/" + archive + " && cp -r $HOME/before $HOME/" + archive), 0) << err;
    }
  }
  ASSERT_EQ(sh("sed -i 2,\\$d $HOME/" + log + " && $H archive compact --drop-unnamed && $H archive verify"), 0)
      << out << err;
  EXPECT_LT(pack_bytes(), whole);
  EXPECT_EQ(sh("$H doctor && $H forget aaaaaaaa --yes"), 0) << out << err;
}

TEST_F(ArchiveLostLines, RunCapturesAgainWhatAgentsHave) {
  ASSERT_EQ(sh("sed -i 2,\\$d $HOME/" + log + " && $H archive run"), 0) << err;
  EXPECT_EQ(err, "");
  ASSERT_EQ(sh("$H archive verify && $H doctor && rm -r $HOME/.claude && $H restore " + third), 0) << out << err;
}

TEST_F(ArchiveLostLines, LogFromBackupEndsIt) {
  for (const std::string between : {"verify", "run"}) {
    ASSERT_EQ(sh("rm -rf $HOME/.claude; sed -i 2,\\$d $HOME/" + log + "; $H archive " + between),
              between == "run" ? 0 : 4)
        << err;
    EXPECT_EQ(sh("cp $HOME/log $HOME/" + log + "; $H archive verify && $H doctor && $H forget " + id + " --dry-run"), 0)
        << out << err;
  }
}

// A shorter log after prune, forget and compact has lost nothing.
TEST_F(ArchiveLostLines, ReplacedLogHasLostNothing) {
  ASSERT_EQ(sh("rm $HOME/.claude/projects/-desk/" + id +
               ".jsonl && $H archive prune --keep-days 1 --yes && "
               "$H archive verify && $H forget bbbbbbbb --yes && $H archive verify && $H archive compact && "
               "$H archive verify && $H archive run && $H archive verify"),
            0)
      << out << err;
}

// What a killed run left has no line either.
TEST_F(ArchiveLostLines, InterruptedRunHasLostNothing) {
  ASSERT_EQ(sh("cp -r $HOME/" + archive + "/packs $HOME/later && rm -r $HOME/" + archive +
               " && mkdir $HOME/away && mv $HOME/.claude/projects/-desk/[bc]* $HOME/away && $H archive run && "
               "rm $HOME/" +
               archive +
               "/log-end.json && mv $HOME/away/* $HOME/.claude/projects/-desk && "
               "cp $HOME/later/*.zst $HOME/" +
               archive +
               "/packs && $H archive verify && $H archive run && "
               "$H archive verify"),
            0)
      << out << err;
  EXPECT_EQ(err, "");
}

// A first run that was stopped in the middle of a session, which has changed since.
TEST_F(ArchiveLostLines, StoppedFirstRunHasLostNothing) {
  const std::string fourth = "dddddddd-0000-4000-8000-000000000004";
  claude(fourth, "\"something\"");
  std::mt19937_64 random(7);
  {
    std::ofstream appended(home + "/.claude/projects/-desk/" + fourth + ".jsonl", std::ios::app);
    for (int record = 0; record < 64; ++record) {
      std::string noise(std::size_t{1} << 20, ' ');
      for (char& one : noise) one = static_cast<char>('A' + random() % 26U);
      appended << R"({"type":"noise","text":")" << noise << "\"}\n";
    }
  }
  // Under load the signal may come too early or too late.
  bool stopped = false;
  for (int n = 0; n < 20 && !stopped; ++n) {
    stopped = sh("rm -r $HOME/" + archive + "; $H archive run & P=$!; until find $HOME/" + archive +
                 "/packs -size +1M 2>/dev/null | grep -q . || ! kill -0 $P; do sleep 0.01; done; kill -TERM $P; "
                 "wait $P") != 0 &&
              sh("$H archive versions " + third) == 0 && sh("$H archive versions " + fourth) != 0;
  }
  ASSERT_TRUE(stopped) << out << err;
  ASSERT_EQ(sh("$H archive verify && $H doctor"), 0) << out << err;
  claude(fourth, "\"something else\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_EQ(sh("$H archive verify && $H forget aaaaaaaa --yes"), 0) << out << err;
}

TEST_F(ArchiveLostLines, DamagedLineIsNamedAndItsPiecesStay) {
  ASSERT_EQ(sh("rm -r $HOME/.claude && sed -i 's/" + other + ".jsonl/" + other + ".jsonX/' $HOME/" + log +
               " && $H archive run"),
            0)
      << err;
  EXPECT_TRUE(err.contains("claude-code/" + other) && err.contains("lines are missing from the log")) << err;
  EXPECT_EQ(sh("$H archive verify"), 4) << out;
  ASSERT_EQ(sh("$H archive compact && cp $HOME/log $HOME/" + log + " && $H restore " + other), 0) << err;
}

TEST_F(ArchiveLostLines, LostFormatIsReportedWithItsRemedy) {
  ASSERT_EQ(sh("rm -r $HOME/.claude $HOME/" + archive + "/FORMAT"), 0) << err;
  for (const std::string command : {"archive run", "archive verify", "archive status", "archive compact",
                                    "forget aaaaaaaa --yes", "restore aaaaaaaa"}) {
    EXPECT_EQ(sh("$H " + command), 4) << command << out << err;
    EXPECT_TRUE(err.contains("FORMAT is missing from the archive")) << command << err;
  }
  const std::size_t at = err.find("write it with: ");
  ASSERT_NE(at, std::string::npos) << err;
  std::string remedy = err.substr(at + 15);
  remedy.resize(remedy.find("/FORMAT") + 7);
  EXPECT_EQ(sh(remedy + "; $H archive verify && $H restore aaaaaaaa"), 0) << remedy << out << err;
}

TEST_F(ArchiveLostLines, OtherFilesInPlaceOfArchive) {
  ASSERT_EQ(sh("rm -r $HOME/" + archive + " && mkdir $HOME/" + archive + " && touch $HOME/" + archive + "/x"), 0);
  EXPECT_EQ(sh("$H archive run"), 5) << out;
  EXPECT_TRUE(err.contains("other files in the place of the archive's folder")) << err;
}

// The guide puts the archive on another disk, and a link in its place.
TEST_F(ArchiveLostLines, LinkToDiskThatIsNotMountedIsReported) {
  ASSERT_EQ(sh("mkdir $HOME/disk && mv $HOME/" + archive + " $HOME/disk/kept && ln -s $HOME/disk/kept $HOME/" +
               archive + " && $H archive status && mv $HOME/disk $HOME/away"),
            0)
      << err;
  const std::string words = "a link on its path leads nowhere; is its disk mounted?";
  for (const std::string command : {"archive run", "archive status", "archive verify", "archive compact",
                                    "restore aaaaaaaa", "forget aaaaaaaa --yes", "show nothing"}) {
    EXPECT_EQ(sh("$H " + command), 5) << command << out;
    EXPECT_TRUE(err.contains(words)) << command << err;
  }
  EXPECT_EQ(sh("$H ls"), 0) << err;
  EXPECT_TRUE(err.contains(words)) << err;
  EXPECT_NE(sh("$H doctor"), 0);
  EXPECT_TRUE(out.contains(words)) << out;
  ASSERT_EQ(sh("mv $HOME/away $HOME/disk && $H archive run && $H archive verify"), 0) << out << err;
}

}  // namespace
}  // namespace holdfast::inline v1
