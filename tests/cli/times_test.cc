// When a session was, if its records do not say.
#include <filesystem>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct Times : CliHome {
  void put(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
  }
};

// Codex of mid-2025 gave a time to the header alone.
TEST_F(Times, SessionIsNotOlderThanItsBeginning) {
  put(".codex/sessions/2025/07/08/rollout-2025-07-08T01-02-03-01980000-0000-7000-8000-000000000020.jsonl",
      R"({"id":"01980000-0000-7000-8000-000000000020","timestamp":"2025-07-08T01:02:03.000Z","instructions":null})"
      "\n"
      R"({"type":"message","role":"user","content":[{"type":"input_text","text":"ancient"}]})"
      "\n");
  ASSERT_EQ(sh("$H ls --json --since 2025-07-01"), 0) << err;
  EXPECT_TRUE(out.contains(R"("created_at":"2025-07-08T01:02:03.000Z","updated_at":"2025-07-08T01:02:03.000Z")"))
      << out;
  EXPECT_EQ(sh("$H search ancient --since 2025-07-01"), 0) << err;
  EXPECT_EQ(sh("$H search ancient --since 2025-07-10"), 1) << out;
}

TEST_F(Times, SessionWithoutTimesIsAsOldAsItsFile) {
  const std::string name = ".claude/projects/-p/cafe0000-0000-4000-8000-00000000cafe.jsonl";
  put(name, R"({"type":"user","uuid":"A","parentUuid":null,"cwd":"/p","message":{"role":"user","content":"ancient"}})"
            "\n");
  ASSERT_EQ(sh("touch -d 2025-07-08T01:02:03Z $HOME/" + name + " && $H ls --json --since 2025-07-01"), 0) << err;
  EXPECT_TRUE(out.contains(R"("updated_at":"2025-07-08T01:02:03.000Z")")) << out;
  EXPECT_EQ(sh("$H search ancient --since 2025-07-01"), 0) << err;
  EXPECT_EQ(sh("$H ls --since 2025-07-10"), 1) << out;
}

// What is no time for one command is none for the others. A valid time after it is still that of the session.
TEST_F(Times, ImpossibleTimeIsNoTimeEverywhere) {
  const auto line = [](const std::string& uuid, const std::string& parent, const std::string& time) {
    return R"({"type":"user","uuid":")" + uuid + R"(","parentUuid":)" + parent + R"(,"cwd":"/p","timestamp":")" + time +
           R"(","message":{"role":"user","content":"said )" + uuid + "\"}}\n";
  };
  const std::string name = ".claude/projects/-p/cafe0000-0000-4000-8000-00000000cafe.jsonl";
  for (const std::string impossible :
       {"2026-02-31T25:61:58.000Z", "2026-13-45T99:99:99Z", "2026-02-29T10:00:00Z", "0001-01-01T00:00:00Z",
        "2999-01-01T00:00:00Z", "aaaa-bb-ccTdd:ee:ffZ", "2026-01-01T10:00:00 and laterZ"}) {
    SCOPED_TRACE(impossible);
    put(name, line("A", "null", impossible));
    ASSERT_EQ(sh("touch -d 2025-07-08T01:02:03Z $HOME/" + name), 0);
    for (const std::string by : {"day", "week", "month"}) {
      ASSERT_EQ(sh("$H stats --json --by " + by), 0) << err;
      EXPECT_TRUE(out.contains(R"("key":"2025-07)")) << "as old as its file: " << by << out;
      EXPECT_FALSE(out.contains(R"("key":"2026)") || out.contains(R"("key":"aaaa)")) << by << out;
    }
    ASSERT_EQ(sh("$H show cafe0000 --json | jq -r .messages[0].timestamp"), 0) << err;
    EXPECT_EQ(out, "null\n");
    put(name, line("A", "null", impossible) + line("B", "\"A\"", "2026-01-02T03:04:05Z"));
    ASSERT_EQ(sh("$H ls --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("created_at":"2026-01-02T03:04:05.000Z","updated_at":"2026-01-02T03:04:05.000Z")"))
        << out;
  }
}

// Sums over all time are those of a period that contains all of it.
TEST_F(Times, EmptySessionCountsInItsPeriod) {
  put(".qwen/projects/-p/chats/2f1cb80d-0000-4000-8000-000000000001.jsonl", "");
  for (const std::string line : {"stats --by week --json", "stats --by week --since 7d --json"}) {
    ASSERT_EQ(sh("$H " + line), 0) << line << err;
    EXPECT_EQ(field({"total", "sessions"}), "1") << line << out;
  }
  ASSERT_EQ(sh("$H stats --by week --since 2025-01-01 --until 2025-02-01 --json"), 1) << err;
  EXPECT_EQ(field({"total", "sessions"}), "0") << out;
}

}  // namespace
}  // namespace holdfast::inline v1
