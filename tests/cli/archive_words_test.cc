// What the commands of the archive print for people.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchiveOutput : CliHome {
  bool says(const std::string& words) const { return out.find(words) != std::string::npos; }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string other = "bbbbbbbb-0000-4000-8000-000000000002";
};

TEST_F(ArchiveOutput, StatusShowsWhatIsKeptAndExcluded) {
  ASSERT_EQ(sh("$H archive status"), 0) << err;
  EXPECT_TRUE(says("there is no archive yet; run holdfast archive run to create it in ")) << out;
  claude(id, "\"a prompt\"");
  claude(other, "\"another prompt\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_EQ(out.find("captured changes in 2 of 2 sessions: 2 files, "), 0U) << out;
  EXPECT_FALSE(says("busy")) << out;
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_EQ(out, "nothing new in 2 sessions\n");
  fs::remove(home + "/.claude/projects/-desk/" + other + ".jsonl");
  fs::create_directories(home + "/.config/holdfast");
  std::ofstream(home + "/.config/holdfast/config.toml") << "[archive]\nexclude = [\"codex\"]\n";
  ASSERT_EQ(sh("$H archive status"), 0) << err;
  EXPECT_EQ(out.find("2 sessions, 2 files, 1 KB in " + home + "/.local/share/holdfast/archive ("), 0U) << out;
  for (const char* words :
       {"\nsince 20", "\n1 session only in the archive\n", "\nlast run 20",
        "0 of 2 sessions had something new, nothing was missed\n", " free on its disk; a run stops below 1.0 GB\n",
        "the timer is off; turn it on with holdfast archive enable\n", "excluded by your settings: codex\n"})
    EXPECT_TRUE(says(words)) << words << "\n" << out;
}

TEST_F(ArchiveOutput, RunReportsWhatItDidAndWhyItStopped) {
  claude(id, "\"a prompt\"");
  claude(other, "\"another prompt\"");
  const std::string outputs = ".claude/projects/-desk/" + id + "/tool-results/";
  fs::create_directories(home + "/" + outputs);
  for (const char* const name : {"a.txt", "b.txt"}) std::ofstream(home + "/" + outputs + name) << name;
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  std::ofstream(home + "/" + outputs + "a.txt") << "something else";
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_TRUE(says("captured changes in 1 of 2 sessions: 1 file, ")) << "those that are as they were: " << out;
  fs::remove_all(home + "/" + outputs);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_EQ(out, "nothing new in 2 sessions; 2 files are gone from their agents and kept here\n");
  ASSERT_EQ(sh("$H forget bbbb --yes && $H archive run"), 0) << err;
  EXPECT_TRUE(says("nothing new in 2 sessions; 1 session is forgotten and not captured\n")) << out;
  EXPECT_FALSE(says("your settings")) << out;
  fs::create_directories(home + "/.config/holdfast");
  std::ofstream(home + "/.config/holdfast/config.toml") << "[archive]\nmin_free = \"1000000G\"\n";
  EXPECT_EQ(sh("$H archive run"), 5) << out;
  EXPECT_TRUE(says("stopped because only ") && says(" is free on the disk of " + home + "/.local/share/holdfast/") &&
              says("archive.min_free is 1000000.0 GB"))
      << out;
}

// The transcript of a sub-agent is a part of its session.
TEST_F(ArchiveOutput, CountsSessionsWithoutTheirSubAgents) {
  claude(id, "\"a prompt\"");
  claude(other, "\"another prompt\"");
  const std::string folder = home + "/.claude/projects/-desk/" + id + "/subagents";
  fs::create_directories(folder);
  std::ofstream(folder + "/agent-abc.jsonl") << R"({"type":"user","uuid":"s","parentUuid":null,"isSidechain":true,)"
                                             << R"("agentId":"abc","sessionId":")" << id
                                             << R"(","cwd":"/srv/proj","message":{"role":"user","content":"a task"}})"
                                             << "\n";
  ASSERT_EQ(sh("$H archive run --dry-run"), 0) << err;
  EXPECT_TRUE(says("capture changes in 2 of 2 sessions: 3 files")) << out;
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_EQ(out.find("captured changes in 2 of 2 sessions: 3 files, "), 0U) << out;
  ASSERT_EQ(sh("$H archive status"), 0) << err;
  EXPECT_TRUE(says("2 sessions, 3 files, ") && says("2 of 2 sessions had something new, nothing was missed")) << out;
  // Nor when it is forgotten or excluded with its session.
  ASSERT_EQ(sh("$H forget aaaa --yes && $H archive run"), 0) << err;
  EXPECT_TRUE(says("nothing new in 2 sessions; 1 session is forgotten and not captured\n")) << out;
  fs::create_directories(home + "/.config/holdfast");
  std::ofstream(home + "/.config/holdfast/config.toml") << "[archive]\nexclude = [\"/srv/proj\"]\n";
  ASSERT_EQ(sh("rm -r $HOME/.local/share/holdfast/archive; $H archive run"), 0) << err;
  EXPECT_TRUE(says("; 2 sessions excluded by your settings\n")) << out;
}

TEST_F(ArchiveOutput, ReportsIntactArchive) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run && $H archive verify"), 0) << err;
  EXPECT_TRUE(out.ends_with("1 session, 1 file, 1 KB: everything is intact\n")) << out;
  EXPECT_EQ(err, "");
  ASSERT_EQ(sh("$H archive compact"), 0) << err;
  EXPECT_EQ(out.find("compacted the archive: "), 0U) << out;
  ASSERT_EQ(sh("$H archive prune --keep-days 1 --yes"), 0) << err;
  EXPECT_EQ(out, "nothing to prune\n");
}

TEST_F(ArchiveOutput, RestoreReportsSourceAndDestination) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run && $H restore aaaaaaaa"), 0) << err;
  const std::string root = home + "/.claude";
  EXPECT_TRUE(says("claude-code/" + id + " already exists in " + root + "; nothing was written\n")) << out;
  fs::remove_all(root);
  ASSERT_EQ(sh("$H restore aaaaaaaa"), 0) << err;
  EXPECT_EQ(out.find("restored claude-code/" + id + " as it was captured 20"), 0U) << out;
  EXPECT_TRUE(out.ends_with(": 1 file in " + root + "\n")) << out;
  const std::string own = create("\"mine\"");
  ASSERT_EQ(sh("$H rm " + own + " --yes >/dev/null && $H restore " + own), 0) << err;
  EXPECT_EQ(out.find("restored holdfast/" + own.substr(0, 8)), 0U) << out;
  EXPECT_TRUE(says(" from the trash")) << out;
}

TEST_F(ArchiveOutput, DoctorAndHelpMentionArchive) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H doctor"), 0) << err;
  EXPECT_TRUE(says("run holdfast archive run to keep copies")) << out;
  ASSERT_EQ(sh("$H help"), 0) << err;
  EXPECT_TRUE(says("restore a session from the trash or the archive")) << out;
}

TEST_F(ArchiveOutput, ForgetReportsRemovedAndOutOfReach) {
  claude(id, "\"the key is hunter2\"");
  claude(other, "\"another prompt\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  const std::string beyond = "\nout of reach:\n";
  const std::string always = "  free blocks of the disk, snapshots, backups, and copies that others made\n";
  ASSERT_EQ(sh("$H forget --match NOSUCH --yes"), 1) << err;
  EXPECT_EQ(
      out.find("nothing was forgotten: the archive does not contain that text and would not capture it\nsearched 2 "
               "sessions and "),
      0U)
      << out;
  EXPECT_TRUE(out.ends_with(beyond + always)) << out;
  ASSERT_EQ(sh("$H forget --match hunter2 --yes"), 0) << err;
  EXPECT_EQ(out.find("forgot 1 line out of claude-code/" + id + "\n"), 0U) << out;
  EXPECT_TRUE(says(beyond + "  " + home + "/.claude/projects/-desk/" + id + ".jsonl\n")) << out;
  EXPECT_TRUE(out.ends_with(always)) << out;
  ASSERT_EQ(sh("$H forget bbbbbbbb --yes"), 0) << err;
  EXPECT_EQ(out.find("forgot 1 session: claude-code/" + other + "\n"), 0U) << out;
}

TEST_F(ArchiveOutput, SaysThatThePlaceIsMissingAndNotTheSession) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_EQ(sh("$H restore aaaaaaaa --to /proc/no/such"), 5) << out;
  EXPECT_TRUE(err.contains("cannot create the directory") && err.contains("(/proc/no")) << err;
  EXPECT_FALSE(err.contains("there is no session")) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
