// The list of what is forgotten, or the log, was lost or put back from an older backup after a forget: each of the two
// tells what the other lacks, and what was forgotten stays forgotten.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchiveOlderFiles : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    claude(id, "\"the key is hunter2\"");
    claude(other, "\"another prompt\"");
    claude(third, "\"a third prompt\"");
    ASSERT_EQ(sh("$H archive run && cp -r $HOME/" + archive + " $HOME/first && $H forget --match hunter2 --yes && " +
                 "cp -r $HOME/" + archive + " $HOME/second && $H forget bbbbbbbb --yes && cp -r $HOME/" + archive +
                 " $HOME/latest"),
              0)
        << err;
  }
  void start_anew() { ASSERT_EQ(sh("rm -rf $HOME/" + archive + "; cp -r $HOME/latest $HOME/" + archive), 0) << err; }
  // Neither the archive, nor what it shows of a session that its agent has deleted, has anything of it.
  void expect_forgotten() {
    ASSERT_EQ(sh("rm -rf $HOME/away; mv $HOME/.claude $HOME/away; $H show aaaaaaaa"), 0) << err;
    EXPECT_FALSE(out.contains("hunter2")) << out;
    EXPECT_EQ(sh("$H show bbbbbbbb"), 3) << out;
    EXPECT_EQ(sh("$H search hunter2"), 1) << out;
    EXPECT_NE(sh("for one in $HOME/" + archive + "/packs/*.zst; do zstd -dcq $one; done | grep -e hunter2 -e another"),
              0)
        << out;
    ASSERT_EQ(sh("mv $HOME/away $HOME/.claude"), 0) << err;
  }
  void expect_quiet() {
    ASSERT_EQ(sh("$H archive run && $H archive verify && $H doctor && $H archive status"), 0) << out << err;
    EXPECT_EQ(err, "");
  }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string other = "bbbbbbbb-0000-4000-8000-000000000002";
  const std::string third = "cccccccc-0000-4000-8000-000000000003";
  const std::string archive = ".local/share/holdfast/archive";
  const std::string list = "$HOME/" + archive + "/forgotten.json";
  const std::string log = "$HOME/" + archive + "/log.jsonl";
};

TEST_F(ArchiveOlderFiles, ListIsWrittenAgainFromTheLog) {
  expect_quiet();
  const std::string sound = text(archive + "/forgotten.json");
  for (const std::string lose :
       {"rm ", "echo '{}' >", "echo '{\"sessions\":[]}' >", "cp $HOME/second/forgotten.json "}) {
    SCOPED_TRACE(lose);
    start_anew();
    ASSERT_EQ(sh(lose + list), 0) << err;
    const std::string words = "it was lost, or an older one was put back";
    EXPECT_EQ(sh("$H archive verify"), 4) << out;
    EXPECT_TRUE(out.contains("forgotten.json") && out.contains(words)) << out;
    EXPECT_EQ(sh("$H doctor"), 4) << out;
    EXPECT_TRUE(out.contains(words)) << out;
    ASSERT_EQ(sh("$H archive status"), 0) << err;
    EXPECT_TRUE(err.contains(words)) << err;
    // Something new, so that the files are read again, and every line is looked at.
    ASSERT_EQ(
        sh("for one in $HOME/.claude/projects/-desk/*; do echo '{\"type\":\"mode\"}' >>$one; done; $H archive run"), 0)
        << err;
    EXPECT_TRUE(err.contains(words) && err.contains("written again")) << err;
    EXPECT_TRUE(out.contains("1 session is forgotten")) << out;
    EXPECT_EQ(text(archive + "/forgotten.json"), sound);
    expect_forgotten();
    expect_quiet();
  }
}

// A forget that comes next adds to both, with the same salt.
TEST_F(ArchiveOlderFiles, NextForgetKeepsWhatTheLostListHad) {
  ASSERT_EQ(sh("rm " + list + " && $H forget --match third --yes"), 0) << err;
  expect_forgotten();
  EXPECT_NE(sh("grep -c third " + log), 0) << out;
  expect_quiet();
}

TEST_F(ArchiveOlderFiles, ListOfAnotherArchiveIsRefused) {
  ASSERT_EQ(sh("mv " + list + " $HOME/right && sed 's/\"salt\":\"../\"salt\":\"22/' $HOME/right >" + list), 0) << err;
  EXPECT_EQ(sh("$H archive run"), 4) << out;
  EXPECT_TRUE(err.contains("not that of this archive")) << err;
  ASSERT_EQ(sh("echo '{' >" + list + "; $H archive run"), 4) << out;
  EXPECT_TRUE(err.contains("remove it if no forget was interrupted")) << err;
  ASSERT_EQ(sh("rm " + list), 0);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  expect_forgotten();
  expect_quiet();
}

// With the packs of that time, or only the log, which names pieces that are gone.
TEST_F(ArchiveOlderFiles, OlderLogIsNoticedAndForgottenAgain) {
  for (const std::string time : {"first", "second"}) {
    for (const bool packs : {true, false}) {
      SCOPED_TRACE(time + (packs ? " with packs" : ""));
      start_anew();
      ASSERT_EQ(sh("cp $HOME/" + time + "/log.jsonl " + log), 0) << err;
      if (packs) {
        ASSERT_EQ(sh("cp $HOME/" + time + "/packs/* $HOME/" + archive + "/packs/"), 0) << err;
      }
      const std::string words = "does not know of everything that is forgotten";
      EXPECT_EQ(sh("$H archive verify"), 4) << out;
      EXPECT_TRUE(out.contains("log.jsonl") && out.contains(words)) << out;
      EXPECT_EQ(sh("$H doctor"), 4) << out;
      EXPECT_TRUE(out.contains(words)) << out;
      ASSERT_EQ(sh("$H archive status"), 0) << err;
      EXPECT_TRUE(err.contains(words)) << err;
      ASSERT_EQ(sh("$H archive run"), 0) << err;
      EXPECT_TRUE(err.contains(words)) << err;
      ASSERT_EQ(sh("$H archive run"), 0) << err;
      expect_forgotten();
      // That log also names a piece with forgotten lines, and nothing has it now.
      const bool lacks = time == "first" && !packs;
      EXPECT_EQ(sh("$H archive run && $H archive verify"), lacks ? 4 : 0) << out << err;
      EXPECT_EQ(out.contains("1 of its 1 blocks cannot be read"), lacks) << out;
      EXPECT_EQ(sh("$H doctor"), lacks ? 4 : 0) << out << err;
    }
  }
}

// Holdfast 0.2.0 did not repeat the list in the log, and wrote no log-end.json.
TEST_F(ArchiveOlderFiles, ArchiveOfAnEarlierVersionIsNoOlderFile) {
  const auto as_earlier = [&] {
    start_anew();
    ASSERT_EQ(
        sh("cd $HOME/" + archive + " && grep -v '^{\"forgot\"' log.jsonl >log && mv log log.jsonl && rm log-end.json"),
        0)
        << err;
  };
  const std::string repeated = "[ $(grep -c '^{\"forgot\"' " + log + ") = 2 ]";
  as_earlier();
  ASSERT_NE(sh(repeated), 0);
  ASSERT_EQ(sh("$H archive verify && $H doctor && $H archive status"), 0) << out << err;
  EXPECT_EQ(err, "");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_EQ(sh(repeated), 0) << text(archive + "/log.jsonl");
  EXPECT_FALSE(text(archive + "/log-end.json").contains("lost_at"));
  EXPECT_TRUE(text(archive + "/log-end.json").contains("bytes"));
  expect_quiet();
  expect_forgotten();
  // From then on the log counts.
  ASSERT_EQ(sh("rm " + list + " && $H archive run"), 0) << err;
  EXPECT_TRUE(err.contains("written again")) << err;
  expect_forgotten();
  expect_quiet();
  // What comes first may also be a forget, or a compact.
  for (const std::string first : {"forget cccccccc --yes", "archive compact"}) {
    SCOPED_TRACE(first);
    as_earlier();
    ASSERT_EQ(sh("$H " + first), 0) << err;
    EXPECT_FALSE(err.contains("older")) << err;
    EXPECT_EQ(sh("[ $(grep -c '^{\"forgot\"' " + log + ") -ge 2 ]"), 0) << text(archive + "/log.jsonl");
    expect_quiet();
    expect_forgotten();
  }
}

// Only the archive has what was captured since: it stays until the newer log is back, or is given up.
TEST_F(ArchiveOlderFiles, OlderLogDoesNotCostWhatWasCapturedSince) {
  const std::string fourth = "dddddddd-0000-4000-8000-000000000004";
  claude(fourth, "\"a fourth prompt\"");
  ASSERT_EQ(sh("$H archive run && rm $HOME/.claude/projects/-desk/" + fourth + ".jsonl && cp " + log +
               " $HOME/newest && cp $HOME/second/log.jsonl " + log),
            0)
      << err;
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_TRUE(err.contains("lines are missing from the log") &&
              err.contains("what was forgotten is still in the archive"))
      << err;
  EXPECT_EQ(sh("$H show dddddddd"), 3) << out;
  ASSERT_EQ(sh("cp $HOME/newest " + log + " && $H archive run && $H archive run"), 0) << err;
  ASSERT_EQ(sh("$H show dddddddd"), 0) << err;
  EXPECT_TRUE(out.contains("a fourth prompt")) << out;
  expect_forgotten();
  expect_quiet();
  ASSERT_EQ(sh("cp $HOME/second/log.jsonl " + log +
               " && $H archive run && $H archive compact --drop-unnamed && "
               "$H archive run"),
            0)
      << err;
  expect_forgotten();
  expect_quiet();
}

}  // namespace
}  // namespace holdfast::inline v1
