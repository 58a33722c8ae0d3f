// Removal from the archive: forget, prune, compact.
#include <cstdlib>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchiveUpkeep : CliHome {
  // Returns whether a file below the folder contains the text; packs are unpacked.
  bool is_in_files(const std::string& folder, const std::string& wanted) {
    EXPECT_EQ(sh("find $HOME/" + folder + " -type f | while read -r f; do case $f in *.zst) zstd -dcq \"$f\";; " +
                 "*) cat \"$f\";; esac; done"),
              0)
        << err;
    return out.find(wanted) != std::string::npos;
  }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string other = "bbbbbbbb-0000-4000-8000-000000000002";
};

TEST_F(ArchiveUpkeep, ForgottenSessionIsErasedAndNotRecaptured) {
  if (sh("command -v zstd") != 0) GTEST_SKIP() << "zstd is not installed";
  claude(id, "\"the password is hunter2\"");
  claude(other, "\"another prompt\"");
  ASSERT_EQ(sh("$H archive run && $H ls && $H search hunter2"), 0) << err;
  ASSERT_TRUE(is_in_files(".local/share/holdfast/archive", "hunter2"));
  ASSERT_EQ(sh("$H forget aaaaaaaa --dry-run"), 0) << err;
  EXPECT_NE(out.find("remove 1 session from the archive for good and never capture it again"), std::string::npos)
      << out;
  ASSERT_TRUE(is_in_files(".local/share/holdfast/archive", "hunter2"));
  ASSERT_EQ(sh("$H forget aaaaaaaa --yes --json"), 0) << err;
  EXPECT_EQ(field({"still_there"}), "[]") << out;
  EXPECT_NE(out.find(id + ".jsonl"), std::string::npos) << "the agent's own file: " << out;
  EXPECT_FALSE(is_in_files(".local/share/holdfast", "hunter2")) << out;
  EXPECT_FALSE(is_in_files(".cache", "hunter2")) << out;
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(sh("echo '{\"type\":\"mode\"}' >> $HOME/.claude/projects/-desk/" + id + ".jsonl; $H archive run"), 0)
        << err;
  }
  EXPECT_FALSE(is_in_files(".local/share/holdfast", "hunter2"));
  EXPECT_EQ(sh("rm -r $HOME/.claude; $H restore aaaaaaaa"), 3) << out;
  EXPECT_EQ(sh("$H restore bbbbbbbb && $H archive verify"), 0) << out << err;
  EXPECT_EQ(sh("$H forget"), 2) << out;
  EXPECT_EQ(sh("$H forget cccccccc --yes"), 3) << out;
}

TEST_F(ArchiveUpkeep, PrunesOnlyOldDeletedSessions) {
  claude(id, "\"a prompt\"");
  claude(other, "\"another\"");
  const std::string young = "cccccccc-0000-4000-8000-000000000003";
  claude(young, "\"of today\"");
  ASSERT_EQ(sh("cd $HOME/.claude/projects/-desk && sed -i s/2026-01-01T00:00:00Z/$(date -u +%FT%TZ)/ " + young +
               ".jsonl && $H archive run && rm " + id + ".jsonl " + young + ".jsonl"),
            0)
      << err;
  ASSERT_EQ(sh("$H archive prune --yes --json"), 0) << err;
  EXPECT_EQ(field({"removed"}), "[]") << out;
  ASSERT_EQ(sh("$H archive prune --keep-days 30 --dry-run"), 0) << err;
  EXPECT_NE(out.find("last known copy of 1 session:"), std::string::npos) << out;
  EXPECT_NE(sh("$H archive prune --keep-days 30"), 0) << "without a word: " << out;
  ASSERT_EQ(sh("$H archive prune --keep-days 30 --yes --json"), 0) << err;
  EXPECT_EQ(sh("$H show aaaaaaaa"), 3) << out;
  EXPECT_EQ(sh("$H show bbbbbbbb && $H show cccccccc && $H archive verify"), 0) << out << err;
}

TEST_F(ArchiveUpkeep, CompactDoesNotChangeRestoredFiles) {
  claude(id, "\"a prompt\"");
  const std::string log = ".claude/projects/-desk/" + id + ".jsonl";
  for (int i = 0; i < 8; ++i) {
    std::ofstream(home + "/" + log, std::ios::app) << "{\"type\":\"mode\",\"n\":" << i << "}\n";
    ASSERT_EQ(sh("$H archive run"), 0) << err;
  }
  const std::string bytes = text(log);
  ASSERT_EQ(sh("$H archive compact --json"), 0) << err;
  EXPECT_LT(std::atoi(field({"bytes_after"}).c_str()), std::atoi(field({"bytes_before"}).c_str())) << out;
  ASSERT_EQ(sh("$H archive verify && $H archive run --json"), 0) << out << err;
  EXPECT_EQ(text(".local/share/holdfast/archive/log.jsonl").find("\"n\":1,"), std::string::npos);
  ASSERT_EQ(sh("rm -r $HOME/.claude && $H restore aaaaaaaa"), 0) << err;
  EXPECT_EQ(text(log), bytes);
}

}  // namespace
}  // namespace holdfast::inline v1
