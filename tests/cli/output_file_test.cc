// Files that a person names (-o FILE), in directories of other users.
#include "tests/cli/cli_testing.h"
#include "tests/cli/ordinary_user_testing.h"

namespace holdfast::inline v1 {
namespace {

struct OutputFile : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    claude("aaaaaaaa-0000-4000-8000-000000000001", "\"hello\"");
    ASSERT_EQ(sh(give_home() + " && mkdir $HOME/theirs && chmod 777 $HOME/theirs"), 0) << err;
  }
  void TearDown() override {
    for (const std::string& path : made) std::filesystem::remove(path);
    CliHome::TearDown();
  }
  std::string in_tmp(const std::string& name) {
    return made.emplace_back("/tmp/" + std::filesystem::path(home).filename().string() + "-" + name);
  }

  const std::string holdfast = ordinary_holdfast();
  std::vector<std::string> made;
};

TEST_F(OutputFile, CanBeWrittenToTmp) {
  const std::string page = in_tmp("page.html"), brief = in_tmp("brief.md"), copy = in_tmp("copy.jsonl");
  EXPECT_EQ(sh(holdfast + "share aaaa -o " + page), 0) << err;
  EXPECT_EQ(sh(holdfast + "handoff aaaa --brief -o " + brief), 0) << err;
  EXPECT_EQ(sh(holdfast + "rescue aaaa -o " + copy), 0) << err;
  for (const std::string& path : made) EXPECT_GT(std::filesystem::file_size(path), 0U) << path;
  const std::string again = in_tmp("again.jsonl");
  EXPECT_EQ(sh(holdfast + "rescue " + copy + " -o " + again), 0) << err;
  EXPECT_EQ(sh(holdfast + "share aaaa -o " + page), 2) << "never over another file";
  EXPECT_EQ(sh("ls -A /tmp | grep ^.holdfast- || true"), 0);
  EXPECT_EQ(out, "") << "nothing is left beside it";
}

TEST_F(OutputFile, CanBeWrittenToAnotherUsersWritableDirectory) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to be somebody else";
  EXPECT_EQ(sh(holdfast + "share aaaa -o $HOME/theirs/page.html"), 0) << err;
  ASSERT_EQ(sh("chmod 755 $HOME/theirs"), 0);
  EXPECT_EQ(sh(holdfast + "share aaaa -o $HOME/theirs/other.html"), 5) << err;
  EXPECT_TRUE(err.contains("Permission denied")) << err;
}

TEST_F(OutputFile, HandoffRejectsAnotherUsersDirectory) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to be somebody else";
  EXPECT_EQ(sh("mkdir $HOME/.codex && chown 65534 $HOME/.codex && " + holdfast +
               "handoff aaaa --to codex --project $HOME/theirs"),
            2)
      << out;
  EXPECT_TRUE(
      err.starts_with("holdfast: the session cannot continue in this directory: the directory belongs to "
                      "another user"))
      << err;
  EXPECT_EQ(sh(holdfast + "handoff aaaa --to codex --project $HOME/nowhere"), 3) << out;
  EXPECT_TRUE(err.contains("the directory to continue in does not exist")) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
