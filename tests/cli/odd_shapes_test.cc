// Content in a shape that the reader does not know is still shown, exported and found.
#include <filesystem>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct UnknownShapes : CliHome {
  void put(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name) << bytes;
  }
  // Expects each word in what show and export print, as text and as JSON, and that a search for it finds this session.
  void expect_kept(const std::string& id, std::initializer_list<const char*> words) {
    for (const std::string word : words) {
      SCOPED_TRACE(id + " " + word);
      for (const std::string& line :
           {"show " + id + " --branch all --context --tools --thinking", "show " + id + " --branch all --json",
            "export " + id + " --branch all --format json"}) {
        EXPECT_EQ(sh("$H " + line), 0) << line << err;
        EXPECT_TRUE(out.contains(word)) << line << "\n" << out;
      }
      EXPECT_EQ(sh("$H search " + word + " --json"), 0) << err;
      EXPECT_TRUE(out.contains("\"" + id)) << out;
    }
    EXPECT_EQ(sh("$H verify " + id), 0) << out << err;
  }
};

std::string claude_line(const std::string& uuid, const std::string& parent, const std::string& type,
                        const std::string& message) {
  return R"({"parentUuid":)" + (parent.empty() ? "null" : "\"" + parent + "\"") +
         R"(,"isSidechain":false,"cwd":"/p","sessionId":"0a0a0a0a-0000-4000-8000-000000000001","type":")" + type +
         R"(","message":)" + message + (uuid.empty() ? "" : R"(,"uuid":")" + uuid + "\"") +
         R"(,"timestamp":"2026-01-01T00:00:00Z"})" + "\n";
}

TEST_F(UnknownShapes, ClaudeCodeContentIsKept) {
  put(".claude/projects/-p/0a0a0a0a-0000-4000-8000-000000000001.jsonl",
      claude_line("a", "", "user", R"({"role":"user","content":{"type":"text","text":"zzobject"}})") +
          claude_line("b", "a", "user",
                      R"({"role":"user","content":[{"type":"text","text":"look"},)"
                      R"({"type":"image","source":{"type":"url","url":"https://zzimage/x.png"}}]})") +
          claude_line("c", "b", "assistant",
                      R"({"role":"assistant","model":"m","content":[{"type":"text","text":{"deep":"zzdeep"}},)"
                      R"({"type":"tomorrow","words":["zztomorrow"]}]})") +
          claude_line("", "c", "assistant",
                      R"({"role":"assistant","model":"m","content":[{"type":"text","text":"zznouuid"}]})") +
          claude_line("d", "c", "user", R"("zzstring")"));
  expect_kept("0a0a0a0a", {"zzobject", "https://zzimage/x.png", "zzdeep", "zztomorrow", "zznouuid", "zzstring"});
  // As part of the conversation, without options.
  ASSERT_EQ(sh("$H show 0a0a0a0a"), 0) << err;
  for (const char* word : {"zzobject", "zzimage", "zzdeep", "zztomorrow", "zznouuid", "zzstring"})
    EXPECT_TRUE(out.contains(word)) << word << out;
}

// A record of an unknown type needs no uuid to be kept. Those that describe the session are not shown.
TEST_F(UnknownShapes, ClaudeCodeRecordWithoutUuidIsKept) {
  const std::string id = "0a0a0a0a-0000-4000-8000-000000000001";
  const auto flat = [&](const std::string& rest) { return R"({"sessionId":")" + id + "\"," + rest + "}\n"; };
  put(".claude/projects/-p/" + id + ".jsonl",
      claude_line("a", "", "user", R"({"role":"user","content":"zzprompt"})") +
          flat(R"("type":"agent-report","report":{"text":"zzflat words"})") +
          flat(R"("type":"agent-report","message":{"role":"assistant","content":[{"type":"text","text":"zzsaid"}]})") +
          flat(R"("type":"queue-operation","operation":"enqueue","content":"zzqueue")") +
          flat(R"("type":"mode","mode":"zznormal")") + R"({"v":2,"record":{"text":"zzwrapped"}})" + "\n" +
          claude_line("b", "a", "assistant",
                      R"({"role":"assistant","model":"m","content":[{"type":"text","text":"zzanswer"}]})"));
  expect_kept("0a0a0a0a", {"zzprompt", "zzflat", "zzsaid", "zzwrapped", "zzanswer"});
  ASSERT_EQ(sh("$H show 0a0a0a0a --branch all --json"), 0) << err;
  for (const char* word : {"zzqueue", "zznormal"}) EXPECT_FALSE(out.contains(word)) << word << out;
  ASSERT_EQ(sh("$H show 0a0a0a0a"), 0) << err;
  EXPECT_TRUE(out.contains("zzsaid") && out.contains("zzprompt") && out.contains("zzanswer")) << out;
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("user":1,"assistant":1,)")) << out;
}

// What was typed while the agent worked is a prompt; it is stored as an attachment.
TEST_F(UnknownShapes, ClaudeCodeQueuedPromptIsPrompt) {
  const std::string id = "0a0a0a0a-0000-4000-8000-000000000001";
  const auto queued = [&](const std::string& uuid, const std::string& parent, const std::string& attachment) {
    return R"({"parentUuid":")" + parent + R"(","isSidechain":false,"cwd":"/p","sessionId":")" + id +
           R"(","type":"attachment","attachment":{"type":"queued_command",)" + attachment + R"(},"uuid":")" + uuid +
           R"(","timestamp":"2026-01-01T00:00:00Z"})" + "\n";
  };
  const std::string log =
      claude_line("a", "", "user", R"({"role":"user","content":"zzprompt"})") +
      claude_line(
          "b", "a", "assistant",
          R"({"role":"assistant","model":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]})") +
      claude_line("c", "b", "user",
                  R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"done"}]})") +
      queued("d", "c", R"("commandMode":"prompt","prompt":"zzqueued","origin":{"kind":"human"},"source_uuid":"s")") +
      queued("e", "d", R"("commandMode":"prompt","prompt":[{"type":"text","text":"zzlisted"}])") +
      queued("f", "e", R"("commandMode":"prompt","prompt":"zzpeer","origin":{"kind":"peer"})") +
      queued("g", "f", R"("commandMode":"task-notification","prompt":"zznotified")") +
      claude_line("h", "g", "assistant",
                  R"({"role":"assistant","model":"m","content":[{"type":"text","text":"zzanswer"}]})");
  const std::string name = ".claude/projects/-p/" + id + ".jsonl";
  put(name, log);
  expect_kept("0a0a0a0a", {"zzqueued", "zzlisted", "zzpeer"});
  ASSERT_EQ(sh("$H show 0a0a0a0a"), 0) << err;
  EXPECT_TRUE(out.contains("3 prompts") && out.contains("zzqueued") && out.contains("zzlisted")) << out;
  EXPECT_FALSE(out.contains("zzpeer") || out.contains("zznotified")) << out;
  ASSERT_EQ(sh("mkdir -p $HOME/.codex $HOME/p && $H handoff 0a0a0a0a --to codex --project $HOME/p -o $HOME/o"), 0)
      << err;
  EXPECT_EQ(sh("grep -rq zzqueued $HOME/o"), 0);
  // A user record of the same prompt does not count it again.
  put(name, log + claude_line("s", "h", "user", R"({"role":"user","content":"zzqueued"})"));
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("user":3,)")) << out;
}

std::string codex(const std::string& type, const std::string& payload) {
  return R"({"timestamp":"2026-01-01T00:00:00Z","type":")" + type + R"(","payload":)" + payload + "}\n";
}

TEST_F(UnknownShapes, CodexContentIsKept) {
  const std::string id = "019a0000-0000-7000-8000-000000000001";
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl",
      codex("session_meta", R"({"id":")" + id + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})") +
          codex("response_item", R"({"type":"message","role":"user","content":{"type":"input_text","text":"zzone"}})") +
          codex("response_item", R"({"type":"reasoning","summary":[{"type":"summary_text","text":"zzshort"}],)"
                                 R"("content":[{"type":"reasoning_text","text":"zzlong"}]})") +
          codex("response_item",
                R"({"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"zzrefusal"}]})") +
          codex("response_item", R"({"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"})") +
          codex("future_item", R"({"text":"zzfuture"})") +
          codex("response_item", R"({"type":"function_call_output","call_id":"c1","output":{"lines":["zzlines"]}})") +
          codex("response_item", R"({"type":"message","role":"assistant","content":[)"
                                 R"({"type":"output_text","text":"done"}]})"));
  expect_kept(id, {"zzone", "zzshort", "zzlong", "zzrefusal", "zzfuture", "zzlines"});
}

// Whether versions record turns or not, an unknown record neither ends one nor answers a call.
TEST_F(UnknownShapes, CodexRecordOfUnknownTypeIsNobodysTurn) {
  const std::string id = "019a0000-0000-7000-8000-000000000001";
  const std::string meta =
      codex("session_meta", R"({"id":")" + id + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})");
  const std::string prompt =
      codex("response_item", R"({"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]})");
  const std::string call =
      codex("response_item", R"({"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"})") +
      codex("token_usage_record", R"({"response_id":"r1","usage":{"input_tokens":1,"output_tokens":1}})");
  const std::string bare = R"({"timestamp":"2026-01-01T00:00:00Z","type":"tomorrow","note":"zzbare"})"
                           "\n";
  const std::string item = codex("response_item", R"({"type":"tomorrow","note":"zzitem"})");
  const std::string wrapped = codex("tomorrow", R"({"note":"zzwrapped"})");
  for (const std::string& started : {std::string(), codex("event_msg", R"({"type":"task_started"})")}) {
    for (const std::string& unknown : {bare, item, wrapped}) {
      SCOPED_TRACE(started + unknown);
      const std::string log = ".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl";
      put(log, meta + started + prompt + unknown);
      EXPECT_EQ(sh("$H ls --json"), 0) << err;
      EXPECT_TRUE(out.contains(R"("status":"interrupted")") && out.contains(R"("assistant":0)")) << out;
      put(log, meta + started + prompt + call + unknown);
      EXPECT_EQ(sh("$H ls --json"), 0) << err;
      EXPECT_TRUE(out.contains(R"("status":"interrupted")")) << out;
      EXPECT_EQ(sh("$H show " + id + " --json"), 0) << err;
      EXPECT_TRUE(out.contains("zz")) << out;
      EXPECT_EQ(sh("$H verify " + id + " --json"), 0) << out << err;
      EXPECT_TRUE(out.contains("open_call") && !out.contains("orphan_call")) << out;
    }
  }
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl",
      meta + prompt + call + bare + item + wrapped);
  expect_kept(id, {"zzbare", "zzitem", "zzwrapped"});
}

TEST_F(UnknownShapes, GeminiRecordOfUnknownTypeIsNobodysTurn) {
  const std::string name = ".gemini/tmp/alpha/chats/session-2026-01-01T00-00-9617824d.jsonl";
  const std::string log =
      R"({"sessionId":"9617824d-0000-4000-8000-000000000001","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z",)"
      R"("lastUpdated":"2026-01-01T00:00:00.000Z","kind":"main"})"
      "\n"
      R"({"id":"u1","timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":"go"})"
      "\n";
  const std::string remark = R"({"remark":"zzremark"})"
                             "\n";
  const std::string typed = R"({"id":"x1","timestamp":"2026-01-01T00:00:02.000Z","type":"tomorrow","note":"zznote"})"
                            "\n";
  for (const std::string& unknown : {remark, typed}) {
    put(name, log + unknown);
    EXPECT_EQ(sh("$H ls --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("status":"interrupted")")) << unknown << out;
  }
  put(name, log + remark + typed);
  expect_kept("9617824d", {"zzremark", "zznote"});
  // What the client says itself ends the turn.
  put(name, log + R"({"id":"i1","timestamp":"2026-01-01T00:00:02.000Z","type":"info","content":"Request cancelled."})" +
                "\n");
  EXPECT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("status":"active")")) << out;
}

TEST_F(UnknownShapes, GeminiContentIsKept) {
  put(".gemini/tmp/alpha/chats/session-2026-01-01T00-00-9617824d.jsonl",
      R"({"sessionId":"9617824d-0000-4000-8000-000000000001","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z",)"
      R"("lastUpdated":"2026-01-01T00:00:00.000Z","kind":"main"})"
      "\n"
      R"({"timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":"zzfirst"})"
      "\n"
      R"({"id":"g1","timestamp":"2026-01-01T00:00:02.000Z","type":"gemini","content":"x","thoughts":["zzthought"],)"
      R"("toolCalls":[{"id":"t1","name":"new","args":{},"result":"zzresult","status":"success"}]})"
      "\n"
      R"({"timestamp":"2026-01-01T00:00:03.000Z","type":"user","content":{"newShape":"zzsecond"}})"
      "\n"
      R"({"id":"g2","timestamp":"2026-01-01T00:00:04.000Z","type":"gemini","content":"y"})"
      "\n"
      R"({"remark":"zzremark"})"
      "\n");
  expect_kept("9617824d", {"zzfirst", "zzthought", "zzresult", "zzsecond", "zzremark"});
  EXPECT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("user":2)")) << out;
}

TEST_F(UnknownShapes, QwenContentIsKept) {
  const auto line = [](const std::string& uuid, const std::string& parent, const std::string& type,
                       const std::string& rest) {
    return R"({"uuid":")" + uuid + R"(","parentUuid":)" + (parent.empty() ? "null" : "\"" + parent + "\"") +
           R"(,"sessionId":"6b50f7dd-0000-4000-8000-000000000001","timestamp":"2026-01-01T00:00:00Z","type":")" + type +
           R"(","cwd":"/p",)" + rest + "}\n";
  };
  put(".qwen/projects/-p/chats/6b50f7dd-0000-4000-8000-000000000001.jsonl",
      line("a", "", "user", R"("message":{"role":"user","content":"zzcontent"})") +
          line("b", "a", "assistant", R"("model":"m","message":"zzstring")") +
          line("c", "b", "tomorrow", R"("said":"zztomorrow")") +
          line("d", "c", "assistant", R"("model":"m","message":{"role":"model","parts":[{"text":"end"}]})"));
  expect_kept("6b50f7dd", {"zzcontent", "zzstring", "zztomorrow"});
}

TEST_F(UnknownShapes, CopilotContentIsKept) {
  const auto line = [](const std::string& id, const std::string& parent, const std::string& type,
                       const std::string& data) {
    return R"({"type":")" + type + R"(","data":)" + data + R"(,"id":")" + id +
           R"(","timestamp":"2026-01-01T00:00:00.000Z","parentId":)" +
           (parent.empty() ? "null" : "\"" + parent + "\"") + "}\n";
  };
  put(".copilot/session-state/39f71f1c-0000-4000-8000-000000000001/events.jsonl",
      line("e0", "", "session.start",
           R"({"sessionId":"39f71f1c-0000-4000-8000-000000000001","startTime":"2026-01-01T00:00:00.000Z"})") +
          line("e1", "e0", "user.message", R"({"content":[{"type":"text","text":"zzprompt"}]})") +
          line("e2", "e1", "assistant.message",
               R"({"messageId":"m1","content":{"parts":["zzanswer"]},"toolRequests":[{"future":"zzrequest"}]})") +
          line("e3", "e2", "session.tomorrow", R"({"said":"zztomorrow"})") +
          line("e4", "e3", "user.message", R"("zzdata")"));
  expect_kept("39f71f1c", {"zzprompt", "zzanswer", "zzrequest", "zztomorrow", "zzdata"});
}

TEST_F(UnknownShapes, ContinueContentIsKept) {
  put(".continue/sessions/120f6295-0000-4000-8000-000000000001.json",
      R"({"sessionId":"120f6295-0000-4000-8000-000000000001","title":"t","workspaceDirectory":"/p","history":[)"
      R"({"message":{"role":"user","content":{"type":"text","text":"zzobject"}}},)"
      R"({"message":{"role":"assistant","content":[{"type":"later","note":"zznote"}]},"reasoning":"zzreason",)"
      R"("toolCallStates":[{"toolCallId":"c1","status":"done","toolCall":{"id":"c1","function":{"name":"f",)"
      R"("arguments":"{}"}},"output":"zzoutput"}]},)"
      R"({"message":{"role":"tomorrow","content":"zztomorrow"}}]})");
  expect_kept("120f6295", {"zzobject", "zznote", "zzreason", "zzoutput", "zztomorrow"});
}

TEST_F(UnknownShapes, PiContentIsKept) {
  put(".pi/agent/sessions/--p--/2026-01-01T00-00-00-000Z_01a1dcca-0000-4000-8000-000000000001.jsonl",
      R"({"type":"session","version":3,"id":"01a1dcca-0000-4000-8000-000000000001","timestamp":"2026-01-01T00:00:00Z",)"
      R"("cwd":"/p"})"
      "\n"
      R"({"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:00Z",)"
      R"("message":{"role":"user","content":{"type":"text","text":"zzobject"}}})"
      "\n"
      R"({"type":"message","id":"b","parentId":"a","timestamp":"2026-01-01T00:00:00Z",)"
      R"("message":{"role":"assistant","content":[{"type":"later","note":"zznote"}],"stopReason":"stop"}})"
      "\n"
      R"({"type":"tomorrow","id":"c","parentId":"b","timestamp":"2026-01-01T00:00:00Z","said":"zztomorrow"})"
      "\n"
      R"({"type":"message","parentId":"c","timestamp":"2026-01-01T00:00:00Z",)"
      R"("message":{"role":"assistant","content":"zznoid","stopReason":"stop"}})"
      "\n"
      R"({"type":"message","id":"e","parentId":"c","timestamp":"2026-01-01T00:00:00Z",)"
      R"("message":{"role":"wizard","content":"zzrole"}})"
      "\n");
  expect_kept("01a1dcca", {"zzobject", "zznote", "zztomorrow", "zznoid", "zzrole"});
  ASSERT_EQ(sh("$H show 01a1dcca --branch all"), 0) << err;
  EXPECT_TRUE(out.contains("zzrole")) << "what was said is shown, whoever said it" << out;
}

// Base64 is not searched.
TEST_F(UnknownShapes, Base64DataIsNotSearched) {
  const std::string bytes(3000, 'Q');
  put(".claude/projects/-p/0a0a0a0a-0000-4000-8000-000000000001.jsonl",
      claude_line("a", "", "user",
                  R"({"role":"user","content":[{"type":"file","source":{"type":"base64","data":")" + bytes +
                      R"(","more":")" + bytes + R"("},"id":"zzid","title":"zztitle"}]})"));
  EXPECT_EQ(sh("$H search zztitle"), 0) << err;
  EXPECT_EQ(sh("$H search zzid"), 1) << out;
  EXPECT_EQ(sh("$H search QQQQQQ"), 1) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
