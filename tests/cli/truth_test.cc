// What tail -f, ls, show and search report about agents at work, and about text that agents wrote in the user's name.
#include <sys/file.h>
#include <sys/inotify.h>

#include <deque>
#include <vector>

#include "base/hash.h"
#include "tests/cli/cli_testing.h"
#include "tests/cli/database_testing.h"
#include "tests/cli/tail_process_testing.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kId = "0a0a0a0a-0000-4000-8000-00000000000a";

struct AgentsAtWork : CliHome {
  void put(const std::string& name, const std::string& bytes) { write(name, bytes, std::ios::out); }
  void add(const std::string& name, const std::string& bytes) { write(name, bytes, std::ios::app); }
  void sql(const std::string& name, const std::string& statements) const { run_sql(home + "/" + name, statements); }
  std::string status_of(const std::string& id) {
    EXPECT_EQ(sh("$H show " + id + " --format json"), 0) << err;
    const std::string shown = field({"session", "status"});
    EXPECT_EQ(sh("$H ls --json"), 0) << err;
    const JsonView sessions = JsonView(out).find("sessions");
    for (const JsonItem& session : sessions.elements()) {
      if (!session.value.find("id").is_string(id)) continue;
      EXPECT_TRUE(session.value.find("status").is_string(shown)) << out;
    }
    return shown;
  }

 private:
  void write(const std::string& name, const std::string& bytes, std::ios::openmode mode) const {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, mode) << bytes;
  }
};

// ---- tail -f

struct Step {
  enum class Kind { append, replace, sql } kind;
  std::string file;
  std::string bytes;
  std::vector<std::string> says;  // blocks: texts, names of tools called, outputs
};

// Within a second on a machine that does nothing else; this limit leaves time for one that is busy.
constexpr std::chrono::seconds kSoon{10};

// The kernel tells tail of changes, so that nothing waits for the next look. The system may have no watch left, then
// tail looks twice a second.
void expect_watches(const TailProcess& tail) {
  const auto limit = std::chrono::steady_clock::now() + kSoon;
  while (tail.watches() == 0) {
    if (std::chrono::steady_clock::now() < limit) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      continue;
    }
    const int own = ::inotify_init1(IN_CLOEXEC);
    EXPECT_LT(own, 0) << "there was no watch in " << kSoon.count() << " s";
    if (own >= 0) ::close(own);
    return;
  }
}

// A store that grows step by step; the first step is there before tail starts.
void expect_each_block_once(AgentsAtWork& desk, const std::string& id, const std::vector<Step>& steps) {
  const auto carry_out = [&](const Step& step) {
    if (step.kind == Step::Kind::append) desk.add(step.file, step.bytes);
    if (step.kind == Step::Kind::replace) desk.put(step.file, step.bytes);
    if (step.kind == Step::Kind::sql) desk.sql(step.file, step.bytes);
  };
  carry_out(steps.front());
  TailProcess tail(desk.home, {"-f", "--json", "-n", "100", id});
  std::deque<std::string> said;
  const auto next = [&] {
    while (said.empty()) {
      const std::string line = tail.next_line(kSoon);
      if (line.empty()) return std::string("(nothing soon, or tail ended) ") + desk.text("tail.err");
      for (const JsonItem& item : JsonView(line).find("blocks").elements()) {
        for (const std::string_view key : {"text", "name", "output"}) {
          if (const auto text = item.value.find(key).as_string()) said.push_back(*text);
        }
      }
    }
    std::string one = said.front();
    said.pop_front();
    return one;
  };
  for (std::size_t n = 0; n < steps.size(); ++n) {
    if (n > 0) carry_out(steps[n]);
    for (const std::string& block : steps[n].says) ASSERT_EQ(next(), block) << "step " << n;
    if (n == 0) expect_watches(tail);
  }
  EXPECT_TRUE(said.empty());
  EXPECT_EQ(desk.text("tail.err"), "");
}

std::string codex(const std::string& type, const std::string& payload) {
  return R"({"timestamp":"2026-01-01T00:00:00Z","type":")" + type + R"(","payload":)" + payload + "}\n";
}
std::string codex_said(const std::string& role, const std::string& text) {
  return codex("response_item", R"({"type":"message","role":")" + role + R"(","content":[{"type":")" +
                                    (role == "user" ? "input_text" : "output_text") + R"(","text":")" + text +
                                    R"("}]})");
}
std::string codex_meta(const std::string& id) {
  return codex("session_meta", R"({"id":")" + id + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})");
}
std::string codex_path(const std::string& id) {
  return ".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl";
}

std::string claude_line(const std::string& uuid, const std::string& parent, const std::string& type,
                        const std::string& message, const std::string& time = "2026-01-01T00:00:00Z") {
  return R"({"parentUuid":)" + (parent.empty() ? "null" : "\"" + parent + "\"") +
         R"(,"isSidechain":false,"cwd":"/p","sessionId":"s","type":")" + type + R"(","message":)" + message +
         R"(,"uuid":")" + uuid + R"(","timestamp":")" + time + "\"}\n";
}
std::string claude_path(const std::string& id) { return ".claude/projects/-p/" + id + ".jsonl"; }

TEST_F(AgentsAtWork, TailPrintsEachClaudeCodeBlockOnce) {
  const std::string file = claude_path(kId);
  using enum Step::Kind;
  expect_each_block_once(
      *this, kId,
      {{append, file, claude_line("a", "", "user", R"({"role":"user","content":"prompt"})"), {"prompt"}},
       {append,
        file,
        claude_line(
            "b", "a", "assistant",
            R"({"id":"m1","role":"assistant","content":[{"type":"thinking","thinking":"thought","signature":"s"}]})"),
        {"thought"}},
       {append,
        file,
        claude_line(
            "c", "b", "assistant",
            R"({"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]})"),
        {"Bash"}},
       {append,
        file,
        claude_line("d", "c", "user",
                    R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"output"}]})"),
        {"output"}},
       {append,
        file,
        claude_line("e", "d", "assistant",
                    R"({"id":"m2","role":"assistant","content":[{"type":"text","text":"done"}]})"),
        {"done"}}});
}

TEST_F(AgentsAtWork, TailPrintsEachCodexBlockOnce) {
  const std::string file = codex_path(kId);
  using enum Step::Kind;
  expect_each_block_once(
      *this, kId,
      {{append, file, codex_meta(kId) + codex_said("user", "prompt"), {"prompt"}},
       {append,
        file,
        codex("response_item", R"({"type":"reasoning","summary":[{"type":"summary_text","text":"thought"}]})"),
        {"thought"}},
       {append, file, codex_said("assistant", "answer"), {"answer"}},
       {append,
        file,
        codex("response_item", R"({"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"})"),
        {"shell"}},
       {append,
        file,
        codex("response_item", R"({"type":"function_call_output","call_id":"c1","output":"output"})"),
        {"output"}},
       {append,
        file,
        codex("event_msg",
              R"({"type":"token_count","info":{"total_token_usage":{"input_tokens":1,"output_tokens":1}}})"),
        {}},
       {append, file, codex_said("assistant", "done"), {"done"}}});
}

// Codex 0.166 gives each item an id. The text of a response, which comes after its thoughts, names the message.
TEST_F(AgentsAtWork, TailPrintsCodexBlockOnceIfTheIdChanges) {
  const std::string file = codex_path(kId);
  using enum Step::Kind;
  for (const std::string& thought : {std::string(R"("id":"rs_1",)"), std::string()}) {
    fs::remove_all(home + "/.codex");
    expect_each_block_once(
        *this, kId,
        {{append, file, codex_meta(kId) + codex_said("user", "prompt"), {"prompt"}},
         {append,
          file,
          codex("response_item",
                R"({"type":"reasoning",)" + thought + R"("summary":[{"type":"summary_text","text":"thought"}]})"),
          {"thought"}},
         {append,
          file,
          codex("response_item",
                R"({"type":"function_call","id":"fc_1","name":"shell","arguments":"{}","call_id":"c1"})"),
          {"shell"}},
         {append,
          file,
          codex("response_item", R"({"type":"message","id":"msg_1","role":"assistant",)"
                                 R"("content":[{"type":"output_text","text":"answer"}]})"),
          {"answer"}},
         {append,
          file,
          codex("response_item", R"({"type":"function_call_output","id":"fco_1","call_id":"c1","output":"output"})"),
          {"output"}},
         {append, file, codex_said("assistant", "done"), {"done"}}});
  }
}

TEST_F(AgentsAtWork, TailPrintsEachGeminiBlockOnce) {
  const std::string file = ".gemini/tmp/p/chats/session-2026-01-01T00-00-0a0a0a0a.jsonl";
  put(".gemini/projects.json", R"({"projects":{"/p":"p"}})");
  const std::string answer = R"({"id":"g1","timestamp":"2026-01-01T00:00:01Z","type":"gemini","content":"answer")";
  const std::string response =
      R"({"functionResponse":{"id":"c1","name":"run_shell_command","response":{"output":"output"}}})";
  using enum Step::Kind;
  expect_each_block_once(
      *this, kId,
      {{append,
        file,
        R"({"sessionId":")" + std::string(kId) +
            R"(","projectHash":"h","startTime":"2026-01-01T00:00:00Z","lastUpdated":"2026-01-01T00:00:00Z","kind":"main"})"
            "\n"
            R"({"id":"u1","timestamp":"2026-01-01T00:00:00Z","type":"user","content":[{"text":"prompt"}]})"
            "\n",
        {"prompt"}},
       {append, file, answer + "}\n", {"answer"}},
       {append,
        file,
        answer + R"(,"toolCalls":[{"id":"c1","name":"run_shell_command","args":{},"status":"success","result":[)" +
            response + "]}]}\n",
        {"run_shell_command", "output"}},
       // The same result as a separate message.
       {append,
        file,
        R"({"id":"u2","timestamp":"2026-01-01T00:00:02Z","type":"user","content":[)" + response + "]}\n",
        {}},
       {append,
        file,
        R"({"id":"g2","timestamp":"2026-01-01T00:00:03Z","type":"gemini","content":"done"})"
        "\n",
        {"done"}}});
}

TEST_F(AgentsAtWork, TailPrintsEachCopilotBlockOnce) {
  const std::string file = ".copilot/session-state/" + std::string(kId) + "/events.jsonl";
  int number = 0;
  const auto event = [&](const std::string& type, const std::string& data) {
    const std::string parent = number == 0 ? "null" : "\"e" + std::to_string(number - 1) + "\"";
    return R"({"type":")" + type + R"(","data":)" + data + R"(,"id":"e)" + std::to_string(number++) +
           R"(","timestamp":"2026-01-01T00:00:00Z","parentId":)" + parent + "}\n";
  };
  using enum Step::Kind;
  std::vector<Step> steps;
  steps.push_back({append,
                   file,
                   event("session.start", R"({"sessionId":")" + std::string(kId) +
                                              R"(","version":1,"startTime":"2026-01-01T00:00:00Z"})") +
                       event("user.message", R"({"content":"prompt"})"),
                   {"prompt"}});
  steps.push_back({append, file, event("assistant.turn_start", R"({"turnId":"0"})"), {}});
  // The usage is recorded before the message.
  steps.push_back(
      {append,
       file,
       event("session.usage_record", R"({"usage":{"model":"m","inputTokens":5,"outputTokens":1,"apiCallId":"k1"}})"),
       {}});
  steps.push_back(
      {append,
       file,
       event(
           "assistant.message",
           R"({"messageId":"m1","model":"m","content":"answer","apiCallId":"k1","toolRequests":[{"toolCallId":"c1","name":"bash","arguments":{}}]})"),
       {"answer", "bash"}});
  steps.push_back(
      {append,
       file,
       event("tool.execution_complete", R"({"toolCallId":"c1","success":true,"result":{"content":"output"}})"),
       {"output"}});
  steps.push_back(
      {append, file, event("assistant.message", R"({"messageId":"m2","model":"m","content":"done"})"), {"done"}});
  expect_each_block_once(*this, kId, steps);
}

TEST_F(AgentsAtWork, TailPrintsEachContinueBlockOnce) {
  const std::string file = ".continue/sessions/" + std::string(kId) + ".json";
  const std::string call = R"({"id":"c1","type":"function","function":{"name":"Bash","arguments":"{}"}})";
  const auto history = [](const std::string& elements) {
    return R"({"sessionId":")" + std::string(kId) + R"(","title":"t","workspaceDirectory":"/p","history":[)" +
           elements + "]}";
  };
  const std::string prompt = R"({"message":{"role":"user","content":"prompt"},"contextItems":[]})";
  const auto answer = [&](const std::string& text, const std::string& more) {
    return R"({"message":{"role":"assistant","content":")" + text + "\"" +
           (more.empty() ? "" : R"(,"toolCalls":[)" + call + "]") + R"(},"contextItems":[])" + more + "}";
  };
  const std::string state = R"(,"toolCallStates":[{"toolCallId":"c1","toolCall":)" + call + R"(,"parsedArgs":{},)";
  using enum Step::Kind;
  expect_each_block_once(
      *this, kId,
      {{replace, file, history(prompt), {"prompt"}},
       {replace, file, history(prompt + "," + answer("", "")), {}},
       // Empty for a moment, as when the file is rewritten in place.
       {replace, file, "", {}},
       {replace, file, history(prompt + "," + answer("answer", state + R"("status":"calling"}])")), {"answer", "Bash"}},
       {replace,
        file,
        history(prompt + "," + answer("answer", state + R"("status":"done","output":[{"content":"output"}]}])")),
        {"output"}},
       {replace,
        file,
        history(prompt + "," + answer("answer", state + R"("status":"done","output":[{"content":"output"}]}])") + "," +
                answer("done", "")),
        {"done"}}});
}

TEST_F(AgentsAtWork, TailPrintsEachQwenBlockOnce) {
  const std::string file = ".qwen/projects/-p/chats/" + std::string(kId) + ".jsonl";
  int number = 0;
  const auto line = [&](const std::string& type, const std::string& role, const std::string& parts) {
    const std::string parent = number == 0 ? "null" : "\"q" + std::to_string(number - 1) + "\"";
    return R"({"uuid":"q)" + std::to_string(number++) + R"(","parentUuid":)" + parent + R"(,"sessionId":")" +
           std::string(kId) + R"(","timestamp":"2026-01-01T00:00:00Z","type":")" + type +
           R"(","cwd":"/p","version":"0.24.4","message":{"role":")" + role + R"(","parts":[)" + parts + "]}}\n";
  };
  using enum Step::Kind;
  std::vector<Step> steps;
  steps.push_back({append, file, line("user", "user", R"({"text":"prompt"})"), {"prompt"}});
  steps.push_back(
      {append,
       file,
       line("assistant", "model", R"({"text":"answer"},{"functionCall":{"id":"c1","name":"shell","args":{}}})"),
       {"answer", "shell"}});
  steps.push_back(
      {append,
       file,
       line("tool_result", "user", R"({"functionResponse":{"id":"c1","name":"shell","response":{"output":"output"}}})"),
       {"output"}});
  steps.push_back({append, file, line("assistant", "model", R"({"text":"done"})"), {"done"}});
  expect_each_block_once(*this, kId, steps);
}

// Entries of pi and openclaw, one per line.
std::vector<std::string> pi_entries() {
  const auto entry = [](int number, const std::string& message) {
    const std::string parent = number == 0 ? "null" : "\"p" + std::to_string(number - 1) + "\"";
    return R"({"type":"message","id":"p)" + std::to_string(number) + R"(","parentId":)" + parent +
           R"(,"timestamp":"2026-01-01T00:00:00Z","message":)" + message + "}";
  };
  return {entry(0, R"({"role":"user","content":"prompt"})"),
          entry(1, R"({"role":"assistant","model":"m","content":[{"type":"text","text":"answer"},)"
                   R"({"type":"toolCall","id":"c1","name":"bash","arguments":{}}]})"),
          entry(2, R"({"role":"toolResult","toolCallId":"c1","content":[{"type":"text","text":"output"}]})"),
          entry(3, R"({"role":"assistant","model":"m","content":[{"type":"text","text":"done"}]})")};
}
const std::vector<std::vector<std::string>> kPiSays = {{"prompt"}, {"answer", "bash"}, {"output"}, {"done"}};

TEST_F(AgentsAtWork, TailPrintsEachPiBlockOnce) {
  const std::string file = ".pi/agent/sessions/--p--/2026-01-01T00-00-00-000Z_" + std::string(kId) + ".jsonl";
  add(file, R"({"type":"session","version":3,"id":")" + std::string(kId) +
                R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})" + "\n");
  std::vector<Step> steps;
  const auto entries = pi_entries();
  for (std::size_t n = 0; n < entries.size(); ++n)
    steps.push_back({Step::Kind::append, file, entries[n] + "\n", kPiSays[n]});
  expect_each_block_once(*this, kId, steps);
}

TEST_F(AgentsAtWork, TailPrintsEachOpenclawBlockOnce) {
  const std::string file = ".openclaw/agents/main/agent/openclaw-agent.sqlite";
  sql(file,
      "PRAGMA journal_mode=WAL;"
      "CREATE TABLE session_windows(session_id TEXT, session_key TEXT, created_at INTEGER, updated_at INTEGER);"
      "CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER);"
      "INSERT INTO session_windows VALUES('" +
          std::string(kId) + "','k',1,1);");
  std::vector<Step> steps;
  const auto entries = pi_entries();
  for (std::size_t n = 0; n < entries.size(); ++n) {
    steps.push_back({Step::Kind::sql, file,
                     "INSERT INTO transcript_events VALUES('" + std::string(kId) + "'," + std::to_string(n) + ",'" +
                         entries[n] + "',1);",
                     kPiSays[n]});
  }
  expect_each_block_once(*this, kId, steps);
}

TEST_F(AgentsAtWork, TailPrintsEachOpencodeBlockOnce) {
  const std::string file = ".local/share/opencode/opencode.db";
  std::ifstream schema(paths::source() + "/tests/fixtures/opencode/schema.sql");
  sql(file, std::string(std::istreambuf_iterator<char>(schema), {}) +
                "INSERT INTO project VALUES('p','/p');INSERT INTO session(id,project_id,slug,directory,title,version,"
                "time_created,time_updated) VALUES('ses_1','p','s','/p','t','1',1,1);");
  const auto message = [](const std::string& id, const std::string& data) {
    return "INSERT INTO message VALUES('" + id + "','ses_1'," + id.substr(4) + ",0,'" + data + "');";
  };
  const auto part = [](const std::string& id, const std::string& message_id, const std::string& data) {
    return "INSERT OR REPLACE INTO part VALUES('" + id + "','" + message_id + "','ses_1',1,0,'" + data + "');";
  };
  const std::string tool = R"({"type":"tool","tool":"bash","callID":"c1","state":{"input":{},)";
  using enum Step::Kind;
  expect_each_block_once(
      *this, "ses_1",
      {{sql,
        file,
        message("msg_1", R"({"role":"user","time":{"created":1}})") +
            part("prt_1", "msg_1", R"({"type":"text","text":"prompt"})"),
        {"prompt"}},
       {sql,
        file,
        message("msg_2", R"({"role":"assistant","modelID":"m","time":{"created":2}})") +
            part("prt_2", "msg_2", R"({"type":"text","text":""})"),
        {}},
       {sql, file, part("prt_2", "msg_2", R"({"type":"text","text":"answer"})"), {"answer"}},
       {sql, file, part("prt_3", "msg_2", tool + R"("status":"running"}})"), {"bash"}},
       {sql, file, part("prt_3", "msg_2", tool + R"("status":"completed","output":"output"}})"), {"output"}},
       {sql,
        file,
        message("msg_3", R"({"role":"assistant","modelID":"m","time":{"created":3}})") +
            part("prt_4", "msg_3", R"({"type":"text","text":"done"})"),
        {"done"}}});
}

TEST_F(AgentsAtWork, TailPrintsOpencodeResultOnceIfAnEarlierCallEndsLater) {
  const std::string file = ".local/share/opencode/opencode.db";
  std::ifstream schema(paths::source() + "/tests/fixtures/opencode/schema.sql");
  sql(file, std::string(std::istreambuf_iterator<char>(schema), {}) +
                "INSERT INTO project VALUES('p','/p');INSERT INTO session(id,project_id,slug,directory,title,version,"
                "time_created,time_updated) VALUES('ses_1','p','s','/p','t','1',1,1);"
                "INSERT INTO message VALUES('msg_1','ses_1',1,0,'{\"role\":\"assistant\",\"modelID\":\"m\"}');");
  const auto part = [](int number, const std::string& state) {
    const std::string n = std::to_string(number);
    return "INSERT OR REPLACE INTO part VALUES('prt_" + n + "','msg_1','ses_1'," + n + ",0,'" +
           R"({"type":"tool","tool":"tool)" + n + R"(","callID":"c)" + n + R"(","state":{"input":{},"status":)" +
           state + "}}');";
  };
  const std::string running = "\"running\"";
  const auto done = [](const std::string& output) { return R"("completed","output":")" + output + "\""; };
  using enum Step::Kind;
  expect_each_block_once(
      *this, "ses_1",
      {{sql, file, part(1, running) + part(2, running) + part(3, running), {"tool1", "tool2", "tool3"}},
       {sql, file, part(3, done("third")), {"third"}},
       {sql, file, part(2, done("second")), {"second"}},
       {sql, file, part(1, done("first")), {"first"}}});
}

// Another message in the place of one is not the same, whatever its first words are.
TEST_F(AgentsAtWork, TailPrintsAllOfPromptThatReplacesAnother) {
  const auto prompt = [](const std::string& id, const std::string& text) {
    return claude_line(id, "", "user", R"({"role":"user","content":")" + text + "\"}");
  };
  put(claude_path(kId), prompt("a", "fix"));
  TailProcess tail(home, {"-f", "--json", "-n", "100", kId});
  ASSERT_EQ(tail.next(), "fix");
  put("other", prompt("b", "fix the bug"));
  fs::rename(home + "/other", home + "/" + claude_path(kId));
  EXPECT_EQ(tail.next(), "fix the bug");
}

TEST_F(AgentsAtWork, TailSaysThatOneOfTwoEqualAnswersIsGone) {
  const auto answer = [](const std::string& id, const std::string& parent, const std::string& text) {
    return claude_line(
        id, parent, "assistant",
        R"({"id":"m)" + id + R"(","role":"assistant","content":[)" + R"({"type":"text","text":")" + text + "\"}]}");
  };
  const std::string prompt = claude_line("a", "", "user", R"({"role":"user","content":"prompt"})");
  put(claude_path(kId), prompt + answer("b", "a", "well") + answer("c", "b", "well"));
  TailProcess tail(home, {"-f", "--json", "-n", "100", kId});
  for (const char* const text : {"prompt", "well", "well"}) ASSERT_EQ(tail.next(), text);
  put("other", prompt + answer("c", "a", "well") + answer("d", "c", "done"));
  fs::rename(home + "/other", home + "/" + claude_path(kId));
  EXPECT_EQ(tail.next(), "done");
  EXPECT_TRUE(text("tail.err").contains("the session was cut or rewritten")) << text("tail.err");
}

// What people see: a call when it is made, and later its output below its name.
TEST_F(AgentsAtWork, TailPrintsLaterResultWithItsCall) {
  const std::string file = codex_path(kId);
  add(file, codex_meta(kId) + codex_said("user", "prompt"));
  TailProcess tail(home, {"-f", kId});
  const auto until = [&](const std::string& wanted) {
    std::string seen;
    for (std::string line = tail.next_line();; line = tail.next_line()) {
      seen += line + "\n";
      if (line.contains(wanted) || seen.size() > 10'000) return seen;
    }
  };
  until("prompt");
  add(file, codex("response_item",
                  R"({"type":"function_call","name":"shell","arguments":"{\"command\":\"make\"}","call_id":"c1"})"));
  EXPECT_FALSE(until("shell make").contains("no result"));
  add(file, codex("response_item", R"({"type":"function_call_output","call_id":"c1","output":"all built"})"));
  const std::string result = until("all built");
  EXPECT_TRUE(result.contains("shell make")) << result;
  EXPECT_FALSE(result.contains("no result")) << result;
}

TEST_F(AgentsAtWork, TailSwitchesToNewerSession) {
  put(claude_path(kId), claude_line("a", "", "user", R"({"role":"user","content":"first"})"));
  TailProcess tail(home, {"-f", "--json"});
  ASSERT_EQ(tail.next(), "first");
  // In another store; earlier messages of the first session are reported, too.
  const std::string later = "019b0000-0000-7000-8000-00000000000b";
  put(codex_path(later),
      codex("session_meta", R"({"id":")" + later + R"(","timestamp":"2026-02-01T00:00:00Z","cwd":"/p"})") +
          R"({"timestamp":"2026-02-01T00:00:01Z","type":"response_item","payload":{"type":"message",)" +
          R"("role":"user","content":[{"type":"input_text","text":"second"}]}})" + "\n");
  ASSERT_EQ(tail.next(), "second");
  EXPECT_TRUE(text("tail.err").contains("now codex/" + later)) << text("tail.err");
  add(codex_path(later), codex_said("assistant", "third"));
  EXPECT_EQ(tail.next(), "third");
}

// ---- who is at work

// A process of ours that takes the place of an agent.
class StandInProcess {
 public:
  StandInProcess() : pid_(::fork()) {
    if (pid_ == 0) {
      ::execl("/bin/sleep", "sleep", "1000", nullptr);
      ::_exit(1);
    }
  }
  StandInProcess(const StandInProcess&) = delete;
  StandInProcess& operator=(const StandInProcess&) = delete;
  ~StandInProcess() { end(); }
  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  std::string pid() const { return std::to_string(pid_); }
  // Field 22 of its stat, the start time.
  std::string start() const {
    std::ifstream file("/proc/" + pid() + "/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string field;
    for (int number = 3; number <= 22; ++number) fields >> field;
    return field;
  }

 private:
  pid_t pid_;
};

TEST_F(AgentsAtWork, ClaudeCodeWithLiveProcessIsRunning) {
  put(claude_path(kId),
      claude_line("a", "", "user", R"({"role":"user","content":"go"})") +
          claude_line(
              "b", "a", "assistant",
              R"({"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]})"));
  EXPECT_EQ(status_of(kId), "interrupted");
  StandInProcess agent;
  const auto registry = [&](const std::string& start) {
    put(".claude/sessions/" + agent.pid() + ".json", R"({"pid":)" + agent.pid() + R"(,"sessionId":")" + kId +
                                                         R"(","procStart":")" + start + R"(","status":"busy"})");
  };
  registry(agent.start());
  EXPECT_EQ(status_of(kId), "running");
  registry("12");  // the pid belongs to another process by now
  EXPECT_EQ(status_of(kId), "interrupted");
  registry(agent.start());
  agent.end();
  EXPECT_EQ(status_of(kId), "interrupted");
}

TEST_F(AgentsAtWork, CodexWithHeldLockIsRunning) {
  put(codex_path(kId), codex_meta(kId) + codex("event_msg", R"({"type":"task_started"})") + codex_said("user", "go"));
  const std::string lock = ".codex/thread-writer-locks/" + std::string(kId) + ".lock";
  put(lock, "");
  EXPECT_EQ(status_of(kId), "interrupted");
  const int file = ::open((home + "/" + lock).c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(file, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(status_of(kId), "running");
  ::close(file);
  EXPECT_EQ(status_of(kId), "interrupted");
}

TEST_F(AgentsAtWork, CopilotWithLiveProcessIsRunning) {
  const std::string folder = ".copilot/session-state/" + std::string(kId) + "/";
  put(folder + "events.jsonl",
      R"({"type":"session.start","data":{"sessionId":")" + std::string(kId) +
          R"("},"id":"a","timestamp":"2026-01-01T00:00:00Z","parentId":null})" + "\n" +
          R"({"type":"user.message","data":{"content":"go"},"id":"b","timestamp":"2026-01-01T00:00:00Z","parentId":"a"})" +
          "\n");
  EXPECT_EQ(status_of(kId), "interrupted");
  StandInProcess agent;
  put(folder + "inuse." + agent.pid() + ".lock", agent.pid() + "\n");
  EXPECT_EQ(status_of(kId), "running");
  agent.end();
  EXPECT_EQ(status_of(kId), "interrupted");
}

// ---- what a person did not type, and what was hidden

TEST_F(AgentsAtWork, NotificationsAndWrappersAreNotPrompts) {
  put(claude_path(kId),
      claude_line("a", "", "user", R"({"role":"user","content":"<task-notification>\n<task-id>x</task-id>"})") +
          claude_line("b", "a", "user", R"({"role":"user","content":"typed by me"})"));
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("first_prompt":"typed by me")")) << out;
  EXPECT_TRUE(out.contains(R"("counts":{"user":1,)")) << out;
  fs::remove_all(home + "/.claude");
  put(codex_path(kId),
      codex_meta(kId) + codex_said("user", "<user_action>\\n  <action>review</action>") +
          codex("response_item",
                R"({"type":"message","role":"user","content":[)"
                R"({"type":"input_text","text":"<image name=[Image #1] path=\"/tmp/a.png\">"},)"
                R"({"type":"input_image","image_url":"data:image/png;base64,AAAA"},)"
                R"({"type":"input_text","text":"</image>"},{"type":"input_text","text":"what is this"}]})"));
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("first_prompt":"what is this")")) << out;
  EXPECT_TRUE(out.contains(R"("counts":{"user":1,)")) << out;
  ASSERT_EQ(sh("$H show " + std::string(kId)), 0) << err;
  EXPECT_TRUE(out.contains("image/png") && !out.contains("<image")) << out;
}

TEST_F(AgentsAtWork, WebSearchesAndPicturesAreShownAndFound) {
  put(claude_path(kId),
      claude_line("a", "", "user", R"({"role":"user","content":"look"})") +
          claude_line(
              "b", "a", "assistant",
              R"({"id":"m","role":"assistant","content":[{"type":"server_tool_use","id":"w1","name":"web_search",)"
              R"("input":{"query":"walrus habitat"}},{"type":"web_search_tool_result","tool_use_id":"w1","content":)"
              R"([{"type":"web_search_result","title":"Tusks of the north","url":"https://example.org/tusks"}]},)"
              R"({"type":"tool_use","id":"t1","name":"Read","input":{}}]})") +
          claude_line("c", "b", "user",
                      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[)"
                      R"({"type":"text","text":"a drawing"},{"type":"image","source":{"type":"base64",)"
                      R"("media_type":"image/webp","data":"QUJD"}}]}]})"));
  ASSERT_EQ(sh("$H show " + std::string(kId)), 0) << err;
  for (const char* words : {"web_search walrus habitat", "Tusks of the north", "a drawing", "image/webp"})
    EXPECT_TRUE(out.contains(words)) << words << "\n" << out;
  EXPECT_FALSE(out.contains("QUJD")) << out;
  EXPECT_EQ(sh("$H search tusks"), 0) << err;
  EXPECT_EQ(sh("$H search walrus"), 0) << err;
  fs::remove_all(home + "/.claude");
  put(codex_path(kId),
      codex_meta(kId) + codex_said("user", "look") +
          codex(
              "response_item",
              R"({"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"walrus habitat"}})") +
          codex("response_item", R"({"type":"function_call","name":"view_image","arguments":"{}","call_id":"c1"})") +
          codex(
              "response_item",
              R"({"type":"function_call_output","call_id":"c1","output":[{"type":"input_image","image_url":"data:image/webp;base64,QUJD"}]})") +
          codex_said("assistant", "done"));
  ASSERT_EQ(sh("$H show " + std::string(kId)), 0) << err;
  for (const char* words : {"web_search walrus habitat", "image/webp"})
    EXPECT_TRUE(out.contains(words)) << words << "\n" << out;
  EXPECT_FALSE(out.contains("no result")) << out;
  EXPECT_EQ(sh("$H search walrus"), 0) << err;
}

TEST_F(AgentsAtWork, CodexCountsStartedSubAgents) {
  put(codex_path(kId),
      codex_meta(kId) + codex_said("user", "delegate") +
          codex("event_msg",
                R"({"type":"item_completed","item":{"type":"CollabAgentToolCall","id":"c1","tool":"spawn_agent",)"
                R"("receiver_thread_ids":["t1","t2"]}})"));
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("subagents":2)")) << out;
}

TEST_F(AgentsAtWork, OldGeminiProjectIsFoundByItsHash) {
  const std::string folder = "/home/me/my project";
  const std::string chats = ".gemini/tmp/" + sha256_hex(folder) + "/chats/session-2026-01-01T00-00-";
  const auto chat = [](const std::string& id, const std::string& text) {
    return R"({"sessionId":")" + id + R"(","projectHash":"h","startTime":"2026-01-01T00:00:00Z","messages":[)" +
           R"({"id":"m","timestamp":"2026-01-01T00:00:00Z","type":"user","content":")" + text + R"("}]})";
  };
  put(chats + "aaaaaaaa.json", chat("aaaaaaaa-1", "hello"));
  put(chats + "bbbbbbbb.json", chat("bbbbbbbb-1", "read /home/me/my project/src/main.cc please"));
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  const std::string wanted = "\"project\":\"" + folder + "\"";
  const auto first = out.find(wanted);
  ASSERT_NE(first, std::string::npos) << out;
  EXPECT_NE(out.find(wanted, first + 1), std::string::npos) << "one session's text tells for all\n" << out;
}

}  // namespace
}  // namespace holdfast::inline v1
