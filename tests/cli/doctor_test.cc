// doctor finds what is wrong, and reveals nothing private.
#include <fcntl.h>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct DoctorCommand : CliHome {};

TEST_F(DoctorCommand, ReportsNoProblemsOnEmptyMachine) {
  EXPECT_EQ(sh("$H doctor"), 0) << err;
  EXPECT_NE(out.find("There are no stores on this machine."), std::string::npos) << out;
  EXPECT_NE(out.find("Everything is in order."), std::string::npos) << out;
  EXPECT_EQ(sh("$H doctor --json"), 0);
  EXPECT_TRUE(check_json(out).ok()) << out;
  EXPECT_EQ(field({"schema_version"}), "1");
}

TEST_F(DoctorCommand, ReportsAgentRetentionWithoutSecrets) {
  create("\"Top secret title\"");
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"my password is hunter2\"");
  EXPECT_EQ(sh("$H doctor"), 0) << err << out;
  EXPECT_NE(out.find("Claude Code deletes sessions after 30 days"), std::string::npos) << out;
  EXPECT_NE(out.find("Claude Code  ~/.claude\n  1 session,"), std::string::npos) << out;
  for (const std::string& secret : {std::string("secret"), std::string("hunter2"), home})
    EXPECT_EQ(out.find(secret), std::string::npos) << out;
  std::ofstream(home + "/.claude/settings.json") << "{\"cleanupPeriodDays\": 3650}";
  EXPECT_EQ(sh("$H doctor --json"), 0) << err;
  EXPECT_NE(out.find("\"deletes_after_days\":3650"), std::string::npos) << out;
  EXPECT_EQ(out.find(home), std::string::npos) << out;
}

TEST_F(DoctorCommand, FindsDamagePoisonMarksAndBrokenSettings) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"a prompt\"");
  std::ofstream(home + "/.claude/projects/-desk/aaaaaaaa-0000-4000-8000-000000000001.jsonl", std::ios::app)
      << "{\"type\":\"user\",\"uu{\"type\":\"user\"}\n";
  EXPECT_EQ(sh("$H doctor"), 4) << out;
  EXPECT_NE(out.find("sessions with damage: 1"), std::string::npos) << out;
  create("\"mine\"");
  const std::string data = home + "/.local/share/holdfast";
  std::filesystem::create_directories(data + "/.side/poison");
  std::ofstream(data + "/.side/poison/x") << "";
  EXPECT_EQ(sh("$H doctor --store holdfast:$HOME/.local/share/holdfast --json"), 4) << out;
  EXPECT_NE(out.find("\"poison\":1"), std::string::npos) << out;
  std::filesystem::create_directories(data + "/corrupt");
  for (const std::string name : {"/corrupt/index.json", "/.side/corrupt/1-bytes"}) {
    std::filesystem::create_directories(std::filesystem::path(data + name).parent_path());
    std::ofstream(data + name) << "{";
  }
  EXPECT_EQ(sh("$H doctor --store holdfast:$HOME/.local/share/holdfast --json"), 4) << out;
  EXPECT_NE(out.find("\"set_aside\":2"), std::string::npos) << out;
  EXPECT_NE(out.find("unreadable sessions and documents set aside in corrupt/: 1; nothing reads them there"),
            std::string::npos)
      << out;
  EXPECT_EQ(sh("$H doctor --store holdfast:/nonexistent --json"), 5) << out;
  std::filesystem::create_directories(home + "/.config/holdfast");
  std::ofstream(home + "/.config/holdfast/config.toml") << "store = [";
  EXPECT_EQ(sh("$H doctor"), 2) << out;
  EXPECT_NE(out.find("~/.config/holdfast/config.toml: the configuration cannot be read"), std::string::npos) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
