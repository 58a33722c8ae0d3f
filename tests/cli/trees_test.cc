// Sub-agents and forks below the session that they came from: ls --tree.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Trees : CliHome {
  void make(const std::string& id, const std::string& parent, const std::string& time) {
    const std::string path = home + "/.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl";
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << R"({"timestamp":")" << time << R"(","type":"session_meta","payload":{"id":")" << id
                        << R"(","timestamp":")" << time << R"(","cwd":"/w")"
                        << (parent.empty() ? "" : R"(,"forked_from_id":")" + parent + "\"")
                        << R"(,"originator":"codex","cli_version":"1"}})" << "\n"
                        << R"({"timestamp":")" << time
                        << R"(","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":)"
                        << R"("input_text","text":"work of )" << id.substr(0, 4) << R"("}]}})" << "\n";
  }
  static std::string id(char c) { return std::string(4, c) + "0000-0000-4000-8000-000000000000"; }
  // "aaaa:0 bbbb:1"
  std::string listed(const std::string& options) {
    EXPECT_EQ(sh("$H ls --json --tree " + options), 0) << err;
    std::string all;
    for (const JsonItem& row : JsonView(out).find("sessions").elements())
      (all += all.empty() ? "" : " ") +=
          row.value.find("id").as_string().value_or("").substr(0, 4) + ":" + std::string(row.value.find("depth").raw());
    return all;
  }
};

TEST_F(Trees, FamiliesAreGroupedAndSortedByNewestMember) {
  make(id('a'), "", "2026-01-01T01:00:00.000Z");
  make(id('b'), id('a'), "2026-01-01T02:00:00.000Z");
  make(id('c'), "", "2026-01-01T03:00:00.000Z");
  make(id('d'), id('b'), "2026-01-01T04:00:00.000Z");
  make(id('e'), id('a'), "2026-01-01T05:00:00.000Z");
  claude("ffff0000-0000-4000-8000-000000000000", "\"alone\"");
  EXPECT_EQ(listed(""), "aaaa:0 eeee:1 bbbb:1 dddd:2 cccc:0 ffff:0");
  EXPECT_EQ(field({"total"}), "6");
  // Its pages are the same list.
  EXPECT_EQ(listed("-n 2"), "aaaa:0 eeee:1");
  const std::string cursor = field({"next_cursor"});
  EXPECT_EQ(listed("-n 2 --skip 2"), "bbbb:1 dddd:2");
  ASSERT_EQ(sh("$H call session.list '{\"tree\":true,\"limit\":4,\"cursor\":\"" + cursor + "\"}'"), 0) << err;
  EXPECT_TRUE(out.contains("work of bbbb") && !out.contains("work of eeee")) << out;
  ASSERT_EQ(sh("$H ls --tree"), 0) << err;
  EXPECT_NE(out.find("└ work of eeee"), std::string::npos) << out;
  EXPECT_NE(out.find("  └ work of dddd"), std::string::npos) << out;
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_FALSE(out.contains("\"depth\"")) << out;
}

TEST_F(Trees, MissingAndCyclicParentsAreHarmless) {
  make(id('a'), id('b'), "2026-01-01T01:00:00.000Z");
  make(id('b'), id('a'), "2026-01-01T02:00:00.000Z");
  make(id('c'), id('c'), "2026-01-01T03:00:00.000Z");
  make(id('d'), id('9'), "2026-01-01T04:00:00.000Z");
  const std::string all = listed("");
  EXPECT_TRUE(all.starts_with("dddd:0 cccc:0 ")) << all;
  EXPECT_EQ(field({"total"}), "4");
  for (const std::string one : {"aaaa:", "bbbb:"}) EXPECT_EQ(all.find(one), all.rfind(one)) << all;
  EXPECT_EQ(all.size(), std::string("dddd:0 cccc:0 aaaa:0 bbbb:1").size()) << all;
}

// Claude Code puts the transcripts of all sub-agents into the folder of the session.
TEST_F(Trees, SubAgentIsBelowTheSubAgentThatStartedIt) {
  const std::string folder = home + "/.claude/projects/-desk/" + id('a') + "/subagents/agent-";
  claude(id('a'), "\"delegate\"");
  std::filesystem::create_directories(std::filesystem::path(folder).parent_path());
  const auto agent = [&](const std::string& name, const std::string& meta) {
    std::ofstream(folder + name + ".jsonl")
        << R"({"type":"user","isSidechain":true,"agentId":")" << name << R"(","uuid":")" << name
        << R"(","parentUuid":null,"sessionId":")" << id('a')
        << R"(","cwd":"/srv/proj","timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"look"}})"
        << "\n";
    std::ofstream(folder + name + ".meta.json") << meta;
  };
  agent("b100", R"({"agentType":"general-purpose","toolUseId":"t1","spawnDepth":1})");
  agent("c100", R"({"agentType":"general-purpose","toolUseId":"t2","parentAgentId":"b100","spawnDepth":2})");
  EXPECT_EQ(listed("--all"), "aaaa:0 b100:1 c100:2");
  ASSERT_EQ(sh("$H show c100 --json"), 0) << err;
  EXPECT_EQ(field({"session", "parent", "id"}), "b100") << out;
  // The archive says the same.
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  std::filesystem::remove_all(home + "/.claude/projects/-desk");
  EXPECT_EQ(listed("--all"), "aaaa:0 b100:1 c100:2");
  ASSERT_EQ(sh("$H show c100 --json"), 0) << err;
  EXPECT_EQ(field({"session", "parent", "id"}), "b100") << out;
}

}  // namespace
}  // namespace holdfast::inline v1
