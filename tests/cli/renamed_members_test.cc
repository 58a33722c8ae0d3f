// What a newer client writes under a name that its reader does not know is still shown, exported and found; and a
// message whose parent is not a message hides nothing that was said before it.
#include <filesystem>

#include "tests/cli/cli_testing.h"
#include "tests/cli/database_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct RenamedMembers : CliHome {
  void put(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
    fs::last_write_time(home + "/" + name, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  // Expects each word in the output of show --tools, in JSON, and in a search; and unchanged counts.
  void expect_kept(const std::string& id, const std::string& counts, std::initializer_list<const char*> words) {
    for (const std::string word : words) {
      SCOPED_TRACE(id + " " + word);
      for (const std::string& line : {"show " + id + " --tools", "export " + id + " --format json"}) {
        EXPECT_EQ(sh("$H " + line), 0) << line << err;
        EXPECT_TRUE(out.contains(word)) << line << "\n" << out;
      }
      EXPECT_EQ(sh("$H search " + word + " --json"), 0) << err;
      EXPECT_TRUE(out.contains("\"" + id)) << out;
    }
    EXPECT_EQ(sh("$H ls --json"), 0) << err;
    EXPECT_TRUE(out.contains(counts)) << out;
    EXPECT_EQ(sh("$H verify " + id), 0) << out << err;
  }
  std::string blocks_of_message(const std::string& id, std::size_t number) {
    EXPECT_EQ(sh("$H show " + id + " --json"), 0) << err;
    for (const JsonItem& one : JsonView(out).find("messages").elements())
      if (number-- == 0) return std::string(one.value.find("blocks").raw());
    return "none";
  }
};

std::string quoted(const std::string& parent) { return parent.empty() ? "null" : "\"" + parent + "\""; }

std::string claude_line(const std::string& uuid, const std::string& parent, const std::string& type,
                        const std::string& rest) {
  return R"({"parentUuid":)" + parent +
         R"(,"isSidechain":false,"cwd":"/p","sessionId":"0a0a0a0a-0000-4000-8000-000000000001","type":")" + type +
         R"(",)" + rest + R"(,"uuid":")" + uuid + R"(","timestamp":"2026-01-01T00:00:00Z","slug":"a-quiet-name"})" +
         "\n";
}

TEST_F(RenamedMembers, ClaudeCodeContentIsKept) {
  put(".claude/projects/-p/0a0a0a0a-0000-4000-8000-000000000001.jsonl",
      claude_line("a", "null", "user", R"("said":{"role":"user","content":"zzprompt"})") +
          claude_line("b", "\"a\"", "assistant",
                      R"("message":{"role":"assistant","model":"m","id":"m1","content":[)"
                      R"({"type":"tool_use","id":"t1","name":"Bash","input":{}}]})") +
          claude_line("c", "\"b\"", "user",
                      R"("message":{"role":"user","content":[)"
                      R"({"type":"tool_result","tool_use_id":"t1","output":"zzoutput"}]})") +
          claude_line("d", "\"c\"", "assistant", R"("reply":{"content":[{"type":"text","text":"zzanswer"}]})") +
          claude_line("e", "\"d\"", "user", R"("message":{"role":"user","content":""})"));
  expect_kept("0a0a0a0a", R"("user":2,"assistant":2,"tool_calls":1,"tool_results":1)",
              {"zzprompt", "zzoutput", "zzanswer"});
  EXPECT_FALSE(blocks_of_message("0a0a0a0a", 4).contains("other")) << "an empty prompt is empty";
}

// The words of such a record are shown; only its keys say which of them are secrets.
TEST_F(RenamedMembers, SecretIsRedacted) {
  put(".claude/projects/-p/0a0a0a0a-0000-4000-8000-000000000001.jsonl",
      claude_line("a", "null", "user", R"("said":{"text":"zzprompt","password":"hunter2zzq"})"));
  ASSERT_EQ(sh("$H show 0a0a0a0a --redact"), 0) << err;
  EXPECT_TRUE(out.contains("zzprompt") && out.contains("[redacted: password]")) << out;
  EXPECT_FALSE(out.contains("hunter2zzq")) << out;
}

std::string codex(const std::string& type, const std::string& payload) {
  return R"({"timestamp":"2026-01-01T00:00:00Z","type":")" + type + R"(","payload":)" + payload + "}\n";
}

TEST_F(RenamedMembers, CodexContentIsKept) {
  const std::string id = "019a0000-0000-7000-8000-000000000001";
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl",
      codex("session_meta", R"({"id":")" + id + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})") +
          codex("response_item", R"({"type":"message","role":"user","parts":["zzprompt"]})") +
          codex("response_item", R"({"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"})") +
          codex("response_item", R"({"type":"function_call_output","call_id":"c1","result":"zzresult"})") +
          codex("response_item", R"({"type":"function_call","name":"shell","arguments":"{}","call_id":"c2"})") +
          codex("response_item", R"({"type":"function_call_output","call_id":"c2","status":"completed"})") +
          codex("response_item", R"({"type":"message","role":"assistant","phase":"final","text":"zzanswer"})") +
          codex("response_item", R"({"type":"message","role":"assistant","content":[]})"));
  expect_kept(id, R"("user":1,"assistant":2,"tool_calls":2,"tool_results":2)", {"zzprompt", "zzresult", "zzanswer"});
  EXPECT_EQ(blocks_of_message(id, 6), "[]") << "an answer without content";
  EXPECT_FALSE(out.contains("completed")) << "an output that says nothing is empty: " << out;
}

TEST_F(RenamedMembers, GeminiContentIsKept) {
  put(".gemini/tmp/alpha/chats/session-2026-01-01T00-00-9617824d.jsonl",
      R"({"sessionId":"9617824d-0000-4000-8000-000000000001","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z",)"
      R"("lastUpdated":"2026-01-01T00:00:00.000Z","kind":"main"})"
      "\n"
      R"({"id":"u1","timestamp":"2026-01-01T00:00:01.000Z","type":"user","parts":[{"text":"zzprompt"}]})"
      "\n"
      R"({"id":"g1","timestamp":"2026-01-01T00:00:02.000Z","type":"gemini","said":"zzanswer","thoughts":[],"model":"m",)"
      R"("toolCalls":[{"id":"t1","name":"one","args":{},"status":"success"}]})"
      "\n"
      R"({"id":"u2","timestamp":"2026-01-01T00:00:03.000Z","type":"user","content":[{"functionResponse":{"id":"t1",)"
      R"("name":"one","response":{"output":"","note":"zznote"}}}]})"
      "\n"
      R"({"id":"g2","timestamp":"2026-01-01T00:00:04.000Z","type":"gemini","content":"the whole","model":"m"})"
      "\n"
      R"({"id":"g2","timestamp":"2026-01-01T00:00:04.000Z","type":"gemini","model":"m","label":"zzlabel"})"
      "\n");
  expect_kept("9617824d", R"("user":1,"assistant":2)", {"zzprompt", "zzanswer", "zznote", "the whole"});
  EXPECT_EQ(sh("$H search zzlabel"), 1) << "a message that is written again keeps what it leaves out: " << out;
}

// Of an unknown type, a record answers no call: the other copy of the result does. The record is shown as it is.
TEST_F(RenamedMembers, GeminiRecordOfUnknownTypeHidesNoResult) {
  const std::string call = R"("toolCalls":[{"id":"t1","name":"write_file","args":{},"status":"success","result":[)"
                           R"({"functionResponse":{"id":"t1","name":"write_file","response":{"output":"zzcopy"}}}]}])";
  put(".gemini/tmp/alpha/chats/session-2026-01-01T00-00-9617824d.jsonl",
      R"({"sessionId":"9617824d-0000-4000-8000-000000000001","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z",)"
      R"("lastUpdated":"2026-01-01T00:00:00.000Z","kind":"main"})"
      "\n"
      R"({"id":"u1","timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":[{"text":"zzprompt"}]})"
      "\n"
      R"({"id":"g1","timestamp":"2026-01-01T00:00:02.000Z","type":"gemini","content":"zzanswer","model":"m",)" +
          call +
          "}\n"
          R"({"id":"u2","timestamp":"2026-01-01T00:00:03.000Z","kind":"user","content":[{"functionResponse":{"id":"t1",)"
          R"("name":"write_file","response":{"output":"zzfirst"}}}]})"
          "\n"
          R"({"id":"g2","timestamp":"2026-01-01T00:00:04.000Z","kind":"gemini","content":"zzlater","model":"m",)"
          R"("thoughts":[{"subject":"zzthought"}],"toolCalls":[{"id":"t2","name":"zzcall","args":{"a":"zzinput"}}]})"
          "\n");
  expect_kept("9617824d", R"("user":1,"assistant":1,"tool_calls":1,"tool_results":1)",
              {"zzprompt", "zzanswer", "zzcopy", "zzfirst", "zzlater", "zzthought", "zzcall", "zzinput"});
  EXPECT_EQ(sh("$H show 9617824d --tools"), 0) << err;
  EXPECT_FALSE(out.contains("no result")) << out;
}

TEST_F(RenamedMembers, QwenContentIsKept) {
  const auto line = [](const std::string& uuid, const std::string& parent, const std::string& type,
                       const std::string& rest) {
    return R"({"uuid":")" + uuid + R"(","parentUuid":)" + quoted(parent) +
           R"(,"sessionId":"6b50f7dd-0000-4000-8000-000000000001","timestamp":"2026-01-01T00:00:00Z","type":")" + type +
           R"(","cwd":"/p",)" + rest + "}\n";
  };
  put(".qwen/projects/-p/chats/6b50f7dd-0000-4000-8000-000000000001.jsonl",
      line("a", "", "user", R"("content":{"role":"user","parts":[{"text":"zzprompt"}]})") +
          line("b", "a", "assistant", R"("model":"m","reply":"zzanswer")") +
          line("c", "b", "assistant", R"("model":"m","message":{"role":"model","parts":[{"text":"end"}]})"));
  expect_kept("6b50f7dd", R"("user":1,"assistant":1)", {"zzprompt", "zzanswer"});
}

TEST_F(RenamedMembers, CopilotContentIsKept) {
  const auto line = [](const std::string& id, const std::string& parent, const std::string& type,
                       const std::string& data) {
    return R"({"type":")" + type + "\"," + data + R"(,"id":")" + id +
           R"(","timestamp":"2026-01-01T00:00:00.000Z","parentId":)" + quoted(parent) + "}\n";
  };
  put(".copilot/session-state/39f71f1c-0000-4000-8000-000000000001/events.jsonl",
      line("e0", "", "session.start",
           R"("data":{"sessionId":"39f71f1c-0000-4000-8000-000000000001","startTime":"2026-01-01T00:00:00.000Z"})") +
          line("e1", "e0", "user.message", R"("data":{"prompt":"zzprompt","source":"user"})") +
          line(
              "e2", "e1", "assistant.message",
              R"("data":{"messageId":"m1","text":"zzanswer","toolRequests":[)"
              R"({"toolCallId":"c1","name":"bash","arguments":{}},{"toolCallId":"c2","name":"bash","arguments":{}}]})") +
          line("e3", "e2", "tool.execution_complete", R"("data":{"toolCallId":"c1","success":true,"output":"zzout"})") +
          line("e4", "e3", "tool.execution_complete",
               R"("data":{"toolCallId":"c2","success":true,"result":{"content":"","detailedContent":"zzdetail"}})") +
          line("e5", "e4", "assistant.message", R"("body":{"content":"zzbody"})") +
          line("e6", "e5", "assistant.message", R"("data":{"messageId":"m3","content":"","toolRequests":[]})"));
  expect_kept("39f71f1c", R"("user":1)", {"zzprompt", "zzanswer", "zzout", "zzdetail", "zzbody"});
  EXPECT_EQ(blocks_of_message("39f71f1c", 5), "[]") << "an empty answer is empty";
}

TEST_F(RenamedMembers, ContinueContentIsKept) {
  put(".continue/sessions/120f6295-0000-4000-8000-000000000001.json",
      R"({"sessionId":"120f6295-0000-4000-8000-000000000001","title":"t","workspaceDirectory":"/p","history":[)"
      R"({"message":{"role":"user","text":"zzprompt"},"contextItems":[]},)"
      R"({"message":{"role":"assistant","parts":["zzanswer"]},"contextItems":[]},)"
      R"({"said":{"role":"user","content":"zzelement"}},)"
      R"({"message":{"role":"assistant","content":""},"contextItems":[]}]})");
  expect_kept("120f6295", R"("user":1,"assistant":2)", {"zzprompt", "zzanswer", "zzelement"});
  EXPECT_EQ(blocks_of_message("120f6295", 3), "[]") << "an empty answer is empty";
}

const std::string kPi = ".pi/agent/sessions/--p--/2026-01-01T00-00-00-000Z_01a1dcca-0000-4000-8000-000000000001.jsonl";

std::string pi_line(const std::string& id, const std::string& parent, const std::string& rest) {
  return R"({"type":"message","id":")" + id + R"(","parentId":)" + parent + R"(,"timestamp":"2026-01-01T00:00:00Z",)" +
         rest + "}\n";
}

std::string pi_header() {
  return R"({"type":"session","version":3,"id":"01a1dcca-0000-4000-8000-000000000001",)"
         R"("timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})"
         "\n";
}

TEST_F(RenamedMembers, PiContentIsKept) {
  put(kPi, pi_header() + pi_line("a", "null", R"("said":{"role":"user","content":"zzmessage"})") +
               pi_line("b", "\"a\"", R"("message":{"role":"user","text":"zzprompt"})") +
               pi_line("c", "\"b\"",
                       R"("message":{"role":"assistant","stopReason":"toolUse","content":[)"
                       R"({"type":"toolCall","id":"t1","name":"bash","arguments":{}}]})") +
               pi_line("d", "\"c\"", R"("message":{"role":"toolResult","toolCallId":"t1","output":"zzoutput"})") +
               pi_line("e", "\"d\"", R"("message":{"role":"assistant","stopReason":"stop","parts":"zzanswer"})"));
  expect_kept("01a1dcca", R"("user":1,"assistant":2)", {"zzmessage", "zzprompt", "zzoutput", "zzanswer"});
}

// The tables of opencode, with one session.
constexpr std::string_view kOpencodeTables =
    "CREATE TABLE session(id TEXT, project_id TEXT, parent_id TEXT, slug TEXT, directory TEXT, title TEXT, "
    "version TEXT, time_created INTEGER, time_updated INTEGER);"
    "CREATE TABLE message(id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);"
    "CREATE TABLE part(id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, "
    "data TEXT);"
    "INSERT INTO session(id,project_id,directory,title,time_created,time_updated) VALUES('ses_1','p','/p','t',1,9);";

std::string part(const std::string& id, const std::string& message, const std::string& data) {
  return "INSERT INTO part VALUES('" + id + "','" + message + "','ses_1',1,1,'" + data + "');";
}

TEST_F(RenamedMembers, OpencodeContentIsKept) {
  run_sql(
      home + "/.local/share/opencode/opencode.db",
      std::string(kOpencodeTables) +
          R"(INSERT INTO message VALUES('msg_1','ses_1',1,1,'{"role":"user","time":{"created":1}}');)"
          R"(INSERT INTO message VALUES('msg_2','ses_1',2,2,'{"role":"assistant","time":{"created":2,"completed":3}}');)" +
          part("prt_1", "msg_1", R"({"type":"text","words":"zzprompt"})") +
          part("prt_2", "msg_2", R"({"type":"text","words":"zzanswer"})") +
          part("prt_3", "msg_2",
               R"({"type":"tool","tool":"bash","callID":"c1","state":{"status":"completed","input":{},)"
               R"("result":"zzresult"}})"));
  expect_kept("ses_1", R"("user":1,"assistant":1,"tool_calls":1,"tool_results":1)",
              {"zzprompt", "zzanswer", "zzresult"});
}

// What a tool returned is shown whatever the status of its call, or the role of its message, is called.
TEST_F(RenamedMembers, OpencodeOutputIsKeptWithUnknownStatusOrRole) {
  const auto tool = [&](const std::string& id, const std::string& message, const std::string& state) {
    return part(id, message, R"({"type":"tool","tool":"bash","callID":"call_)" + id + R"(","state":)" + state + "}");
  };
  run_sql(
      home + "/.local/share/opencode/opencode.db",
      std::string(kOpencodeTables) +
          R"(INSERT INTO message VALUES('msg_1','ses_1',1,1,'{"role":"user","time":{"created":1}}');)"
          R"(INSERT INTO message VALUES('msg_2','ses_1',2,2,'{"role":"assistant","time":{"created":2,)"
          R"("completed":"2026-01-01T00:00:00Z"}}');)"
          R"(INSERT INTO message VALUES('msg_3','ses_1',3,3,'{"role":"agent","time":{"created":3,"completed":4}}');)"
          R"(INSERT INTO message VALUES('msg_4','ses_1',5,5,'{"role":"assistant","time":{"created":5,)"
          R"("completed":"2026-01-01T00:00:00Z"}}');)" +
          part("prt_1", "msg_1", R"({"type":"text","text":"zzprompt"})") +
          tool("prt_2", "msg_2", R"({"status":"done","input":{},"output":"zzdone"})") +
          tool("prt_3", "msg_2", R"({"status":"refused","input":{},"error":"zzrefused"})") +
          tool("prt_4", "msg_2", R"({"status":"finished","input":{},"said":"zzsaid"})") +
          tool("prt_5", "msg_3", R"({"status":"completed","input":{},"output":"zzrole"})") +
          part("prt_6", "msg_4", R"({"type":"text","text":"zzanswer"})"));
  expect_kept("ses_1", R"("user":1,"assistant":3,"tool_calls":4,"tool_results":4)",
              {"zzprompt", "zzdone", "zzrefused", "zzsaid", "zzrole", "zzanswer"});
  EXPECT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_FALSE(out.contains("interrupted")) << "a time may be a text" << out;
}

// What a person sent is a prompt without a text part, too: the text may be in the row, or only a file was attached.
TEST_F(RenamedMembers, OpencodePromptWithoutTextPartIsTyped) {
  run_sql(
      home + "/.local/share/opencode/opencode.db",
      std::string(kOpencodeTables) +
          R"(INSERT INTO message VALUES('msg_1','ses_1',1,1,'{"role":"user","text":"zzrow"}');)"
          R"(INSERT INTO message VALUES('msg_2','ses_1',2,2,'{"role":"assistant","time":{"created":2,"completed":3}}');)"
          R"(INSERT INTO message VALUES('msg_3','ses_1',3,3,'{"role":"user","content":[{"words":"zzcontent"}]}');)"
          R"(INSERT INTO message VALUES('msg_4','ses_1',4,4,'{"role":"user"}');)"
          R"(INSERT INTO message VALUES('msg_5','ses_1',5,5,'{"role":"user"}');)"
          R"(INSERT INTO message VALUES('msg_6','ses_1',6,6,'{"role":"user","summary":{"title":"a title"}}');)"
          R"(INSERT INTO message VALUES('msg_7','ses_1',7,7,'{"role":"assistant","time":{"created":7,"completed":8}}');)" +
          part("prt_2", "msg_2", R"({"type":"text","text":"the answer"})") +
          part("prt_3", "msg_2", R"({"type":"text","synthetic":true,"text":"zzadded"})") +
          part("prt_4", "msg_4",
               R"({"type":"file","mime":"application/zzpdf","url":"data:application/zzpdf;base64,)" +
                   std::string(600, 'A') + R"("})") +
          part("prt_5", "msg_5", R"({"type":"compaction","auto":false})") +
          part("prt_7", "msg_7", R"({"type":"text","text":"the end"})"));
  // All prompts but the order to compact.
  expect_kept("ses_1", R"("user":4,"assistant":2)", {"zzrow", "zzcontent", "zzadded", "application/zzpdf"});
  EXPECT_EQ(sh("$H show ses_1 --json | jq -r '.messages[] | select(.role == \"user\") | .origin // \"typed\"'"), 0);
  EXPECT_EQ(out, "typed\ntyped\ntyped\ncommand\ntyped\n");
  EXPECT_EQ(blocks_of_message("ses_1", 5), "[]") << "the title of a summary is not what was said";
}

// The input of a call, too: what the call has under names that its reader does not know is its input.
TEST_F(RenamedMembers, InputOfCallIsKept) {
  const std::string input = R"({"command":"zzinput"})";
  put(".claude/projects/-p/0a0a0a0a-0000-4000-8000-000000000001.jsonl",
      claude_line("a", "null", "user", R"("message":{"role":"user","content":"run it"})") +
          claude_line("b", "\"a\"", "assistant",
                      R"("message":{"role":"assistant","model":"m","id":"m1","content":[)"
                      R"({"type":"tool_use","id":"t1","name":"Bash","parameters":)" +
                          input + "}]}") +
          claude_line("c", "\"b\"", "user",
                      R"("message":{"role":"user","content":[)"
                      R"({"type":"tool_result","tool_use_id":"t1","content":"done"}]})"));
  const std::string codex_id = "019a0000-0000-7000-8000-000000000001";
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + codex_id + ".jsonl",
      codex("session_meta", R"({"id":")" + codex_id + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})") +
          codex("response_item", R"({"type":"message","role":"user","content":"run it"})") +
          codex(
              "response_item",
              R"({"type":"function_call","name":"shell","status":"completed","call_id":"c1","params":)" + input + "}") +
          codex("response_item", R"({"type":"function_call_output","call_id":"c1","output":"done"})"));
  put(".gemini/tmp/alpha/chats/session-2026-01-01T00-00-9617824d.jsonl",
      R"({"sessionId":"9617824d-0000-4000-8000-000000000001","startTime":"2026-01-01T00:00:00.000Z","kind":"main"})"
      "\n"
      R"({"id":"u1","timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":[{"text":"run it"}]})"
      "\n"
      R"({"id":"g1","timestamp":"2026-01-01T00:00:02.000Z","type":"gemini","content":"","model":"m",)"
      R"("toolCalls":[{"id":"t1","name":"shell","status":"success","result":"done","input":)" +
          input + "}]}\n");
  put(".copilot/session-state/39f71f1c-0000-4000-8000-000000000001/events.jsonl",
      R"({"type":"session.start","data":{"sessionId":"39f71f1c-0000-4000-8000-000000000001"},"id":"e0",)"
      R"("timestamp":"2026-01-01T00:00:00.000Z","parentId":null})"
      "\n"
      R"({"type":"assistant.message","data":{"messageId":"m1","content":"","toolRequests":[{"toolCallId":"c1",)"
      R"("name":"bash","type":"function","input":)" +
          input +
          R"(}]},"id":"e1","timestamp":"2026-01-01T00:00:00.000Z","parentId":"e0"})"
          "\n"
          R"({"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"result":{"content":"done"}},)"
          R"("id":"e2","timestamp":"2026-01-01T00:00:00.000Z","parentId":"e1"})"
          "\n");
  put(".continue/sessions/120f6295-0000-4000-8000-000000000001.json",
      R"({"sessionId":"120f6295-0000-4000-8000-000000000001","title":"t","workspaceDirectory":"/p","history":[)"
      R"({"message":{"role":"user","content":"run it"},"contextItems":[]},{"message":{"role":"assistant","content":"",)"
      R"("toolCalls":[{"id":"c1","type":"function","function":{"name":"Bash","input":)" +
          input + R"(}}]},"contextItems":[]},{"message":{"role":"tool","toolCallId":"c1","content":"done"}}]})");
  put(kPi, pi_header() +
               pi_line("b", "null",
                       R"("message":{"role":"assistant","stopReason":"toolUse","content":[)"
                       R"({"type":"toolCall","id":"t1","name":"bash","input":)" +
                           input + "}]}") +
               pi_line("c", "\"b\"", R"("message":{"role":"toolResult","toolCallId":"t1","content":"done"})"));
  run_sql(
      home + "/.local/share/opencode/opencode.db",
      std::string(kOpencodeTables) +
          R"(INSERT INTO message VALUES('msg_2','ses_1',2,2,'{"role":"assistant","time":{"created":2,"completed":3}}');)" +
          part("prt_3", "msg_2",
               R"({"type":"tool","tool":"bash","callID":"c1","state":{"status":"completed","output":"done","args":)" +
                   input + "}}"));
  for (const std::string id : {"0a0a0a0a", "019a0000", "9617824d", "39f71f1c", "120f6295", "01a1dcca", "ses_1"})
    expect_kept(id, R"("tool_calls":1,"tool_results":1)", {"zzinput"});
}

// A parent that is given but is no id is a missing parent, not the beginning.
TEST_F(RenamedMembers, InvalidParentHidesNothing) {
  for (const std::string parent : {"1", "[\"b\"]", "{}", "true"}) {
    SCOPED_TRACE(parent);
    put(kPi, pi_header() + pi_line("a", "null", R"("message":{"role":"user","content":"the question"})") +
                 pi_line("b", "\"a\"", R"("message":{"role":"assistant","stopReason":"stop","content":"first"})") +
                 pi_line("c", parent, R"("message":{"role":"assistant","stopReason":"stop","content":"second"})"));
    put(".claude/projects/-p/0a0a0a0a-0000-4000-8000-000000000001.jsonl",
        claude_line("a", "null", "user", R"("message":{"role":"user","content":"the question"})") +
            claude_line("b", "\"a\"", "assistant", R"("message":{"role":"assistant","id":"m1","content":"first"})") +
            claude_line("c", parent, "assistant", R"("message":{"role":"assistant","id":"m2","content":"second"})"));
    for (const std::string id : {"01a1dcca", "0a0a0a0a"}) {
      ASSERT_EQ(sh("$H show " + id), 0) << err;
      for (const char* said : {"the question", "first", "second"}) EXPECT_TRUE(out.contains(said)) << said << out;
      EXPECT_EQ(sh("$H verify " + id), 4) << out;
      EXPECT_TRUE(out.contains("orphan_message")) << out;
      EXPECT_EQ(sh("$H rescue " + id + " --install --yes"), 0) << err;
      EXPECT_EQ(sh("$H verify " + id), 0) << "it follows the record before it now: " << out;
      EXPECT_EQ(sh("$H show " + id), 0) << err;
      EXPECT_TRUE(out.contains("the question") && out.contains("second")) << out;
    }
  }
}

}  // namespace
}  // namespace holdfast::inline v1
