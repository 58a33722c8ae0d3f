// Sessions whose file is gone or empty while something else still names them: every door reports it.
#include <filesystem>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

const std::string kCopilot = "39f71f1c-0000-4000-8000-000000000001";
const std::string kFolder = ".copilot/session-state/" + kCopilot + "/";
const std::string kClaude = "7772ed23-0000-4000-8000-000000000001";

struct EmptiedSessions : CliHome {
  void put(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
    fs::last_write_time(home + "/" + name, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  void copilot() const {
    const auto line = [](const std::string& id, const std::string& parent, const std::string& type,
                         const std::string& data) {
      return R"({"type":")" + type + R"(","data":)" + data + R"(,"id":")" + id +
             R"(","timestamp":"2026-01-01T00:00:00.000Z","parentId":)" +
             (parent.empty() ? "null" : "\"" + parent + "\"") + "}\n";
    };
    put(kFolder + "workspace.yaml", "id: " + kCopilot + "\ncwd: /p\n");
    put(kFolder + "events.jsonl",
        line("e0", "", "session.start",
             R"({"sessionId":")" + kCopilot + R"(","startTime":"2026-01-01T00:00:00.000Z"})") +
            line("e1", "e0", "user.message", R"({"content":"the question"})") +
            line("e2", "e1", "assistant.message", R"({"messageId":"m","content":"the answer"})"));
  }
};

TEST_F(EmptiedSessions, ReportsMissingLogAndShowsArchivedVersion) {
  copilot();
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  ASSERT_EQ(sh("$H archive status"), 0) << err;
  EXPECT_TRUE(out.contains("all of them are still where their agents keep them")) << out;
  fs::remove(home + "/" + kFolder + "events.jsonl");
  EXPECT_EQ(sh("$H show 39f71f1c"), 0) << err;
  EXPECT_TRUE(err.contains("the file does not exist")) << out << err;
  EXPECT_FALSE(err.contains("rescue")) << err;
  EXPECT_EQ(sh("$H verify 39f71f1c --json"), 0) << err;
  EXPECT_EQ(field({"notes_total"}), "1") << out;
  EXPECT_TRUE(out.contains("\"kind\":\"empty\"")) << out;
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(sh("$H archive status"), 0) << err;
    EXPECT_TRUE(out.contains("1 session only in the archive, 1 of them in part")) << run << out;
    EXPECT_TRUE((out + err).contains(kCopilot)) << run << out << err;
    EXPECT_TRUE(run == 0 || out.contains("0 of 1 session had something new")) << out;
    EXPECT_EQ(run == 0 ? sh("$H archive run") : 0, 0) << err;
  }
  ASSERT_EQ(sh("$H archive versions 39f71f1c --json"), 0) << err;
  std::vector<std::string> marks;
  for (const JsonItem& one : JsonView(out).find("versions").elements())
    marks.push_back(std::string(one.value.find("worse").raw()) + " " + std::string(one.value.find("shown").raw()));
  ASSERT_EQ(marks.size(), 2u) << out;
  EXPECT_EQ(marks[0], "false true") << out;
  EXPECT_EQ(marks[1], "true false") << out;
  fs::remove_all(home + "/.copilot");
  EXPECT_EQ(sh("$H show 39f71f1c"), 0) << err;
  EXPECT_TRUE(out.contains("the question") && out.contains("the answer")) << out;
}

TEST_F(EmptiedSessions, ReportsEmptiedLog) {
  claude(kClaude, "\"the question\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  put(".claude/projects/-desk/" + kClaude + ".jsonl", "");
  EXPECT_EQ(sh("$H show 7772"), 0) << err;
  EXPECT_TRUE(err.contains("the file is empty")) << out << err;
  EXPECT_EQ(sh("$H archive status"), 0) << err;
  EXPECT_TRUE(out.contains("1 session only in the archive, 1 of them in part")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
