// Sessions of other agents, long enough for several pages, written line by line.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace holdfast::inline v1 {

inline std::string padding(std::size_t bytes, int seed) {
  std::string text;
  while (text.size() < bytes) text.append("word").append(std::to_string(seed + static_cast<int>(text.size()))) += ' ';
  return text;
}

// A transcript of Claude Code.
class ClaudeLog {
 public:
  ClaudeLog(const std::string& home, std::string id, const std::string& project = "-desk") : id_(std::move(id)) {
    path = home + "/.claude/projects/" + project + "/" + id_ + ".jsonl";
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  }
  // A prompt, an answer that calls a tool, its result.
  void turn(std::size_t bytes = 200) {
    const int n = turns_++;
    const std::string number = std::to_string(n);
    line("user", R"("role":"user","content":"prompt )" + number + " " + padding(bytes, n) + "\"");
    line("assistant", R"("id":"msg_)" + number +
                          R"(","role":"assistant","model":"m","content":[{"type":"text","text":")" + padding(bytes, n) +
                          R"("},{"type":"tool_use","id":"call_)" + number +
                          R"(","name":"Bash","input":{"command":"ls"}}],"usage":{"input_tokens":3,"output_tokens":5})");
    line("user", R"("role":"user","content":[{"type":"tool_result","tool_use_id":"call_)" + number +
                     R"(","content":")" + padding(bytes * 2, n) + "\"}]");
  }
  void prompt(const std::string& text) { line("user", R"("role":"user","content":")" + text + "\""); }
  // The next message follows the one that is this many before the last.
  void go_back(int messages) { last_ = "u" + std::to_string(said_ - 1 - messages); }

  std::string path;

 private:
  void line(const std::string& type, const std::string& message) {
    const std::string uuid = "u" + std::to_string(said_++);
    std::ofstream(path, std::ios::app) << R"({"type":")" + type + R"(","uuid":")" + uuid + R"(","parentUuid":)" +
                                              (last_.empty() ? std::string("null") : "\"" + last_ + "\"") +
                                              R"(,"sessionId":")" + id_ +
                                              R"(","cwd":"/w","timestamp":"2026-01-01T00:00:00.000Z","message":{)" +
                                              message + "}}\n";
    last_ = uuid;
  }
  std::string id_, last_;
  int said_ = 0, turns_ = 0;
};

// A rollout of Codex: answers and their figures are separate records.
class CodexLog {
 public:
  CodexLog(const std::string& home, const std::string& id) {
    path = home + "/.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl";
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    record(
        "session_meta",
        R"("id":")" + id +
            R"(","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w","originator":"codex","cli_version":"0.50.0","git":{"branch":"main"})");
  }
  void turn(std::size_t bytes = 200) {
    const int n = turns_++;
    const std::string number = std::to_string(n);
    if (n % 5 == 0)
      record("turn_context",
             R"("cwd":"/w","model":"model-)" + std::to_string(n / 5) + R"(","approval_policy":"never")");
    prompt("prompt " + number + " " + padding(bytes, n));
    item(R"("type":"reasoning","summary":[{"type":"summary_text","text":"thought )" + number + R"("}],"content":null)");
    item(R"("type":"function_call","name":"shell","arguments":"{}","call_id":"call_)" + number + "\"");
    item(R"("type":"function_call_output","call_id":"call_)" + number + R"(","output":")" + padding(bytes * 2, n) +
         "\"");
    item(R"("type":"message","role":"assistant","content":[{"type":"output_text","text":")" + padding(bytes, n) +
         "\"}]");
    const std::string total = std::to_string(100 * (n + 1));
    record("event_msg", R"("type":"token_count","info":{"total_token_usage":{"input_tokens":)" + total +
                            R"(,"cached_input_tokens":0,"output_tokens":)" + total +
                            R"(,"reasoning_output_tokens":0,"total_tokens":)" + total + "}}");
  }
  void prompt(const std::string& text) {
    item(R"("type":"message","role":"user","content":[{"type":"input_text","text":")" + text + "\"}]");
  }
  std::string path;

 private:
  void item(const std::string& payload) { record("response_item", payload); }
  void record(const std::string& type, const std::string& payload) {
    std::ofstream(path, std::ios::app) << R"({"timestamp":"2026-01-01T00:00:00.000Z","type":")" + type +
                                              R"(","payload":{)" + payload + "}}\n";
  }
  int turns_ = 0;
};

}  // namespace holdfast::inline v1
