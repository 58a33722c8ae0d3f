// A session that was moved to another project's folder, and continued there.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kId = "aaaaaaaa-0000-4000-8000-000000000001";

struct MovedSession : CliHome {
  static std::string line(const std::string& uuid, const std::string& parent, const std::string& cwd, int hour,
                          const std::string& text) {
    return R"({"type":"user","uuid":")" + uuid + R"(","parentUuid":)" +
           (parent.empty() ? std::string("null") : "\"" + parent + "\"") + R"(,"sessionId":")" + kId + R"(","cwd":")" +
           cwd + R"(","timestamp":"2026-01-01T1)" + std::to_string(hour) +
           R"(:00:00.000Z","message":{"role":"user","content":")" + text + "\"}}\n";
  }
  void put(const std::string& name, const std::string& bytes) const {
    const std::string path = home + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::trunc) << bytes;
  }
  static std::string log_in(const std::string& folder) { return ".claude/projects/" + folder + "/" + kId + ".jsonl"; }
};

// Claude Code finds a session only in the folder of its directory.
TEST_F(MovedSession, IsResumedWhereItIsNow) {
  const std::string first = line("u1", "", "/a/old", 0, "first words");
  put(log_in("-b-new"), first + line("u2", "u1", "/b/new", 1, "later zebra"));
  ASSERT_EQ(sh("$H resume aaaa --print"), 0) << err;
  EXPECT_EQ(out, "cd /b/new && claude --resume " + std::string(kId) + "\n");
  EXPECT_FALSE(err.contains("moved")) << err;
  ASSERT_EQ(sh("$H ls --json --project /b/new"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
  put(log_in("-b-new"), first);
  ASSERT_EQ(sh("$H resume aaaa --print"), 0) << err;
  EXPECT_EQ(out, "cd /a/old && claude --resume " + std::string(kId) + "\n");
  EXPECT_TRUE(
      err.contains("warning: the session is in projects/-b-new, and its agent looks for the sessions of /a/old "
                   "in -a-old; "))
      << err;
}

}  // namespace
}  // namespace holdfast::inline v1
