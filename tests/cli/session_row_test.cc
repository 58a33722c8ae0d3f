// The values of a session as a whole are the same wherever they are printed.
#include <filesystem>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SessionRows : CliHome {
  void put(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
  }
  // The session object as ls, show and export print it.
  std::vector<std::string> rows(const std::string& id) {
    std::vector<std::string> rows;
    EXPECT_EQ(sh("$H ls --json"), 0) << err;
    for (const JsonItem& one : JsonView(out).find("sessions").elements()) {
      if (one.value.find("id").as_string().value_or("").starts_with(id)) rows.emplace_back(one.value.raw());
    }
    EXPECT_EQ(rows.size(), 1U) << out;
    for (const char* command : {"show ", "export --format json "}) {
      EXPECT_EQ(sh("$H " + (command + id) + (command[0] == 's' ? " --json" : "")), 0) << err;
      rows.push_back(field({"session"}));
    }
    return rows;
  }
};

std::string claude_line(const std::string& session, const std::string& uuid, const std::string& parent,
                        const std::string& type, const std::string& message, int minute) {
  return R"({"parentUuid":)" + (parent.empty() ? "null" : "\"" + parent + "\"") +
         R"(,"isSidechain":false,"cwd":"/p","sessionId":")" + session + R"(","type":")" + type + R"(","message":)" +
         message + R"(,"uuid":")" + uuid + R"(","timestamp":"2026-01-01T00:0)" + std::to_string(minute) + ":00Z\"}\n";
}

std::string prompt(const std::string& text) { return R"({"role":"user","content":")" + text + "\"}"; }
std::string answer(const std::string& id, const std::string& text) {
  return R"({"id":")" + id + R"(","role":"assistant","model":"m","content":[{"type":"text","text":")" + text +
         R"("}],"usage":{"input_tokens":1,"output_tokens":7}})";
}

TEST_F(SessionRows, ClaudeCodeForkNamesItsParentEverywhere) {
  const std::string first = "0a0a0a0a-0000-4000-8000-000000000001", fork = "0b0b0b0b-0000-4000-8000-000000000002";
  const auto common = [](const std::string& id) {
    return claude_line(id, "u1", "", "user", prompt("go"), 0) +
           claude_line(id, "a1", "u1", "assistant", answer("m1", "gone"), 1);
  };
  put(".claude/projects/-p/" + first + ".jsonl", common(first));
  put(".claude/projects/-p/" + fork + ".jsonl",
      common(fork) + claude_line(fork, "u2", "a1", "user", prompt("and back"), 5) +
          claude_line(fork, "a2", "u2", "assistant", answer("m2", "back"), 6));
  for (const std::string& row : rows("0b0b")) {
    const JsonView parent = JsonView(row).find("parent");
    EXPECT_TRUE(parent.find("id").is_string(first) && parent.find("kind").is_string("fork")) << row;
  }
  ASSERT_EQ(sh("$H show 0b0b"), 0) << err;
  EXPECT_TRUE(out.contains("fork of " + first)) << out;
}

std::string codex(int ordinal, const std::string& type, const std::string& payload) {
  return R"({"timestamp":"2026-01-01T00:00:)" + std::to_string(10 + ordinal) + R"(Z","ordinal":)" +
         std::to_string(ordinal) + R"(,"type":")" + type + R"(","payload":)" + payload + "}\n";
}
std::string said(int ordinal, const std::string& role, const std::string& text) {
  const std::string kind = role == "user" ? "input_text" : "output_text";
  return codex(
      ordinal, "response_item",
      R"({"type":"message","role":")" + role + R"(","content":[{"type":")" + kind + R"(","text":")" + text + R"("}]})");
}
std::string spent(int ordinal, const std::string& response, int output) {
  return codex(ordinal, "token_usage_record",
               R"({"response_id":")" + response + R"(","usage":{"input_tokens":1,"output_tokens":)" +
                   std::to_string(output) + "}}");
}

const std::string kThread = "01a1dcc0-07b9-73b3-8a62-b637f0a9ebc9", kFork = "01a1dcc0-f0a4-7461-8065-8a845cefe8b7";

std::string thread() {
  return codex(0, "session_meta", R"({"id":")" + kThread + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})") +
         codex(1, "turn_context", R"({"cwd":"/p","model":"gpt"})") + said(2, "user", "the first turn") +
         said(3, "assistant", "of the parent") + spent(4, "r1", 100);
}

TEST_F(SessionRows, CodexForkCountsOnlyItsOwnTurns) {
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + kThread + ".jsonl", thread());
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-01-00-" + kFork + ".jsonl",
      codex(5, "session_meta",
            R"({"id":")" + kFork + R"(","timestamp":"2026-01-01T00:01:00Z","cwd":"/p","forked_from_id":")" + kThread +
                R"(","history_base":{"thread_id":")" + kThread + R"(","end_ordinal_exclusive":5}})") +
          codex(6, "turn_context", R"({"cwd":"/p","model":"gpt"})") + said(7, "user", "the fork's turn") +
          said(8, "assistant", "of the fork") + spent(9, "r2", 44));
  for (const std::string& row : rows("01a1dcc0-f0a4")) {
    const JsonView session(row);
    EXPECT_EQ(session.find("counts").find("user").raw(), "1") << row;
    EXPECT_EQ(session.find("counts").find("assistant").raw(), "1") << row;
    EXPECT_EQ(session.find("usage").find("output").raw(), "44") << row;
    EXPECT_TRUE(session.find("first_prompt").is_string("the fork's turn")) << row;
  }
  ASSERT_EQ(sh("$H show 01a1dcc0-f0a4"), 0) << err;
  EXPECT_TRUE(out.starts_with("the fork's turn\n")) << out;
  EXPECT_TRUE(out.contains("1 prompt, 1 answer") && out.contains("44 tokens out")) << out;
  EXPECT_TRUE(out.contains("the first turn") && out.contains("of the parent")) << out;
}

TEST_F(SessionRows, DamageCountsFramingErrorsOnly) {
  const std::string id = "0c0c0c0c-0000-4000-8000-000000000003", file = ".copilot/session-state/" + id;
  const auto event = [](const std::string& number, const std::string& parent, const std::string& type,
                        const std::string& data) {
    return R"({"type":")" + type + R"(","data":)" + data + R"(,"id":"e)" + number +
           R"(","timestamp":"2026-01-01T00:00:0)" + number + R"(Z","parentId":)" +
           (parent.empty() ? "null" : "\"e" + parent + "\"") + "}\n";
  };
  const std::string log = event("1", "", "session.start", R"({"sessionId":")" + id + R"(","context":{"cwd":"/p"}})") +
                          event("2", "1", "user.message", R"({"content":"go"})") +
                          event("4", "3", "assistant.message", R"({"messageId":"m","content":"gone"})");
  put(file + "/events.jsonl", log);
  for (const std::string& row : rows("0c0c")) EXPECT_EQ(JsonView(row).find("damage").raw(), "0") << row;
  EXPECT_EQ(sh("$H verify 0c0c"), 4) << out;
  EXPECT_TRUE(out.contains("orphan_message")) << out;
  put(file + "/events.jsonl", log + "{\"type\":\"user.mess\n" + event("5", "4", "user.message", R"({"content":"on"})"));
  for (const std::string& row : rows("0c0c")) EXPECT_EQ(JsonView(row).find("damage").raw(), "1") << row;
}

TEST_F(SessionRows, SessionArchivedByAgentIsListedAsArchived) {
  put(".codex/archived_sessions/rollout-2026-01-01T00-00-00-" + kThread + ".jsonl", thread());
  claude("0d0d0d0d-0000-4000-8000-000000000004", "\"still here\"");
  for (const std::string& row : rows("01a1dcc0")) {
    EXPECT_TRUE(JsonView(row).find("status").is_string("archived")) << row;
    EXPECT_EQ(JsonView(row).find("archived").raw(), "true") << row;
  }
  for (const char* line : {"$H ls --archived", "$H ls --status archived", "$H search --archived turn"}) {
    ASSERT_EQ(sh(line), 0) << line << err;
    EXPECT_TRUE(out.contains("01a1dcc0") && !out.contains("0d0d0d0d")) << line << "\n" << out;
  }
  ASSERT_EQ(sh("$H ls"), 0) << err;
  EXPECT_TRUE(out.contains("archived") && out.contains("0d0d0d0d")) << out;
  EXPECT_EQ(sh("$H ls --archived --status active"), 2) << out << err;
  EXPECT_TRUE(err.contains("archived and status name different statuses: archived and active")) << err;
  // Its agent has the session, so nothing has to be restored first.
  ASSERT_EQ(sh("$H resume 01a1dcc0 --print"), 0) << err;
  EXPECT_TRUE(out.contains("codex resume " + kThread)) << out;
  EXPECT_EQ(sh("$H ls --archived -a claude"), 1) << out;
  EXPECT_TRUE(err.contains("no sessions match")) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
