// rescue and verify, where a copy was made that its agent refuses, or damage was not noticed.
#include <sqlite3.h>

#include <filesystem>
#include <vector>

#include "tests/cli/cli_testing.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kId = "0a0a0a0a-0000-4000-8000-00000000000a";

struct RescueTruth : CliHome {
  void put(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
  }
  // Returns the clean copy.
  std::string rescued(const std::string& id) {
    fs::remove(home + "/copy");
    EXPECT_EQ(sh("$H rescue " + id + " --output $HOME/copy --json"), 0) << err;
    return text("copy");
  }
  // Expects exit code 4 and these words.
  void expect_damage(const std::string& id, const std::string& words) {
    EXPECT_EQ(sh("$H verify " + id), 4) << out << err;
    EXPECT_TRUE((out + err).contains(words)) << out << err;
  }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// ---- Continue

std::string element(const std::string& role, const std::string& text, const std::string& more = "") {
  return R"({"message":{"role":")" + role + R"(","content":")" + text + "\"" + more + R"(},"contextItems":[]})";
}

TEST_F(RescueTruth, ContinueBitFlipKeepsMessages) {
  const std::string call =
      R"(,"toolCalls":[{"id":"call_1","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"ls\"}"}}])";
  std::string document =
      R"({"sessionId":")" + std::string(kId) + R"(","title":"t","workspaceDirectory":"/p","history":[)";
  for (int i = 0; i < 40; ++i) {
    document += (i == 0 ? "" : ",") + element("user", "prompt " + std::to_string(i)) + "," +
                element("assistant", "answer " + std::to_string(i) + std::string(2000, 'x'), i == 5 ? call : "");
  }
  document += "]}";
  const std::string name = ".continue/sessions/" + std::string(kId) + ".json";
  const auto check = [&](const std::string& broken, const std::string& what) {
    put(name, broken);
    const std::string copy = rescued(kId);
    ASSERT_TRUE(check_json(copy).ok()) << what;
    std::size_t messages = 0;
    for (const JsonItem& item : JsonView(copy).find("history").elements()) {
      EXPECT_EQ(item.value.find("message").find("role").kind(), JsonKind::string) << what << item.value.raw();
      EXPECT_EQ(item.value.find("contextItems").kind(), JsonKind::array) << what << item.value.raw();
      ++messages;
    }
    EXPECT_GE(messages, 79U) << what;
    EXPECT_TRUE(copy.contains("prompt 39")) << what;
  };
  // Flips a bit of a quote, a brace, a bracket, a comma and a key near the call.
  const std::size_t at = document.find(call);
  for (const std::string near : {R"("toolCalls")", R"([{"id")", R"("function":{)", R"("name":"Bash")"}) {
    const std::size_t place = document.find(near, at);
    for (const std::size_t offset : {std::size_t{0}, near.size() / 2, near.size() - 1}) {
      std::string broken = document;
      broken[place + offset] = static_cast<char>(broken[place + offset] ^ 4);
      check(broken, near + " byte " + std::to_string(offset) + ": ");
    }
  }
  // Valid JSON, but one element has another shape.
  std::string renamed = document;
  renamed.replace(document.find("\"message\"", at), 9, "\"messagf\"");
  check(renamed, "renamed: ");
}

// ---- Copilot

std::string event(const std::string& type, const std::string& data, int number) {
  const std::string parent = number == 0 ? "null" : "\"e" + std::to_string(number - 1) + "\"";
  return R"({"type":")" + type + R"(","data":)" + data + R"(,"id":"e)" + std::to_string(number) +
         R"(","timestamp":"2026-01-01T00:00:0)" + std::to_string(number) + R"(Z","parentId":)" + parent + "}\n";
}

TEST_F(RescueTruth, CopilotSessionStartIsRebuilt) {
  const std::string folder = ".copilot/session-state/" + std::string(kId);
  put(folder + "/workspace.yaml", "id: " + std::string(kId) + "\ncwd: /home/me/p\n");
  put(folder + "/events.jsonl",
      event("user.message", R"({"content":"go"})", 1) +
          event("assistant.message", R"({"messageId":"m","content":"done","toolRequests":[]})", 2));
  expect_damage(kId, "first record");
  const auto lines = lines_of(rescued(kId));
  ASSERT_EQ(lines.size(), 3U);
  const JsonView start(lines[0]);
  EXPECT_TRUE(start.find("type").is_string("session.start")) << lines[0];
  EXPECT_TRUE(start.find("data").find("sessionId").is_string(kId)) << lines[0];
  for (const std::string_view key : {"version", "producer", "copilotVersion", "startTime"})
    EXPECT_TRUE(start.find("data").find(key)) << key << lines[0];
  EXPECT_TRUE(start.find("data").find("context").find("cwd").is_string("/home/me/p")) << lines[0];
  EXPECT_EQ(JsonView(lines[1]).find("parentId").raw(), start.find("id").raw()) << "the chain begins with it";
}

TEST_F(RescueTruth, OfRepeatedRecordsTheOneAfterItsParentIsKept) {
  const std::string folder = ".copilot/session-state/" + std::string(kId);
  const std::string start = event("session.start", R"({"sessionId":")" + std::string(kId) + R"(","version":1})", 0),
                    prompt = event("user.message", R"({"content":"go"})", 1),
                    answer = event("assistant.message", R"({"messageId":"m","content":"done","toolRequests":[]})", 2),
                    end = event("assistant.turn_end", R"({"turnId":"0"})", 3);
  put(folder + "/workspace.yaml", "id: " + std::string(kId) + "\ncwd: /home/me/p\n");
  put(folder + "/events.jsonl", start + end + prompt + answer + end);
  expect_damage(kId, "shown after the record before it");
  const std::string copy = rescued(kId);
  EXPECT_EQ(copy, start + prompt + answer + end);
  put(folder + "/events.jsonl", copy);
  EXPECT_EQ(sh("$H verify " + std::string(kId)), 0) << out;
}

// ---- Codex

std::string codex(int ordinal, const std::string& type, const std::string& payload) {
  return R"({"timestamp":"2026-01-01T00:00:00.000Z","ordinal":)" + std::to_string(ordinal) + R"(,"type":")" + type +
         R"(","payload":)" + payload + "}\n";
}

struct CodexRescueTruth : RescueTruth {
  std::vector<std::string> lines = {
      codex(0, "session_meta",
            R"({"id":")" + std::string(kId) +
                R"(","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p","originator":"o","cli_version":"0.166.0"})"),
      codex(1, "response_item",
            R"({"type":"message","id":"msg_u","role":"user","content":[{"type":"input_text","text":"the question"}]})"),
      codex(
          2, "event_msg",
          R"({"type":"item_completed","item":{"type":"UserMessage","id":"u","content":[{"type":"text","text":"the question"}]}})"),
      codex(
          3, "event_msg",
          R"({"type":"item_completed","item":{"type":"AgentMessage","id":"msg_a","content":[{"type":"Text","text":"the answer"}]}})"),
      codex(
          4, "response_item",
          R"({"type":"message","id":"msg_a","role":"assistant","content":[{"type":"output_text","text":"the answer"}]})"),
      codex(5, "event_msg", R"({"type":"task_complete"})")};
  const std::string name = ".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + std::string(kId) + ".jsonl";
  void without(std::size_t number) const {
    std::string log;
    for (std::size_t n = 0; n < lines.size(); ++n) log += n == number ? "" : lines[n];
    put(name, log);
  }
  // The response_items, by role and text.
  std::string said(const std::string& copy) {
    std::string all;
    for (const std::string& line : lines_of(copy)) {
      const JsonView json(line);
      if (!json.find("type").is_string("response_item")) continue;
      const JsonView content = json.find("payload").find("content");
      for (const JsonItem& part : content.elements())
        all += json.find("payload").find("role").as_string().value_or("") + ": " +
               part.value.find("text").as_string().value_or("") + "\n";
    }
    return all;
  }
};

TEST_F(CodexRescueTruth, LostMessageIsRestoredFromItsEvent) {
  without(99);
  EXPECT_EQ(sh("$H verify " + std::string(kId)), 0) << out << err;
  const std::string whole = said(rescued(kId));
  EXPECT_EQ(whole, "user: the question\nassistant: the answer\n");
  for (const std::size_t lost : {1U, 4U}) {
    without(lost);
    expect_damage(kId, "1 record is missing");
    EXPECT_TRUE(err.contains("run holdfast rescue codex/" + std::string(kId) + " --install")) << err;
    const std::string copy = rescued(kId);
    EXPECT_EQ(said(copy), whole);
    std::int64_t number = 0;
    for (const std::string& line : lines_of(copy))
      EXPECT_EQ(JsonView(line).find("ordinal").as_int64(), number++) << copy;
  }
  // No other record repeats this one.
  without(5);
  put(name, text(name) + codex(6, "event_msg", R"({"type":"task_started"})"));
  expect_damage(kId, "1 record is missing");
  EXPECT_FALSE(err.contains("rescue")) << err;
  EXPECT_EQ(said(rescued(kId)), whole);
}

// An event repeats each prompt. It is shown if the prompt's item is lost, and never beside it.
TEST_F(CodexRescueTruth, LostPromptIsShownOnceFromItsEvent) {
  const auto expect_one_prompt = [&](const std::string& what) {
    ASSERT_EQ(sh("$H show " + std::string(kId) + " --json"), 0) << err;
    EXPECT_EQ(field({"session", "counts", "user"}), "1") << what << out;
    std::string prompts;
    for (const JsonItem& message : JsonView(out).find("messages").elements())
      if (message.value.find("role").is_string("user")) prompts += message.value.raw();
    EXPECT_EQ(prompts.find("the question"), prompts.rfind("the question")) << what << out;
    EXPECT_TRUE(prompts.contains("the question")) << what << out;
    EXPECT_EQ(sh("$H search 'the question'"), 0) << what;
    EXPECT_EQ(sh("$H ls --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("first_prompt":"the question)")) << what << out;
  };
  const std::vector<std::string> of_0166 = lines;
  std::vector<std::string> legacy = lines;
  legacy[2] =
      codex(2, "event_msg", R"({"type":"user_message","message":"the question","images":[],"local_images":[]})");
  std::vector<std::string> reordered = legacy;  // as the repairs of 0.166's ends are
  std::swap(reordered[1], reordered[2]);
  std::vector<std::string> with_picture = legacy;
  with_picture[1] = codex(
      1, "response_item",
      R"({"type":"message","role":"user","content":[{"type":"input_text","text":"<image name=[Image #1]>"},)"
      R"({"type":"input_image","image_url":"data:image/png;base64,AAAA"},{"type":"input_text","text":"</image>"},)"
      R"({"type":"input_text","text":"the question"}]})");
  std::vector<std::string> joined = legacy;  // two texts, which the event joins otherwise
  joined[1] = codex(1, "response_item",
                    R"({"type":"message","role":"user","content":[{"type":"input_text","text":"the question"},)"
                    R"({"type":"input_text","text":"more"}]})");
  joined[2] = codex(2, "event_msg", R"({"type":"user_message","message":"the question\nmore"})");
  for (const auto& all : {of_0166, legacy, reordered, with_picture, joined}) {
    lines = all;
    without(99);
    expect_one_prompt("whole: " + all[1]);
    if (all == reordered) continue;
    without(1);
    expect_one_prompt("lost: " + all[2]);
  }
  // Two equal prompts, one of which lost its item.
  lines = legacy;
  std::string again = lines[1];
  again.replace(again.find("msg_u"), 5, "msg_v");
  for (const bool lost : {true, false}) {
    std::string log = lines[0] + lines[1] + lines[2] + lines[4];
    put(name, log + (lost ? "" : again) + lines[2] + lines[4]);
    ASSERT_EQ(sh("$H show " + std::string(kId) + " --json"), 0) << err;
    EXPECT_EQ(field({"session", "counts", "user"}), "2") << out;
  }
}

TEST_F(CodexRescueTruth, VerifyReportsMissingFirstLine) {
  without(0);
  expect_damage(kId, "first record");
  const auto copy = lines_of(rescued(kId));
  EXPECT_TRUE(JsonView(copy.front()).find("type").is_string("session_meta")) << copy.front();
}

TEST_F(RescueTruth, VerifyReportsMissingFirstLineOfPi) {
  const std::string name = ".pi/agent/sessions/--p--/2026-01-01T00-00-00-000Z_" + std::string(kId) + ".jsonl";
  const std::string entry =
      R"({"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"go"}})"
      "\n";
  put(name, R"({"type":"session","version":3,"id":")" + std::string(kId) +
                R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})" + "\n" + entry);
  EXPECT_EQ(sh("$H verify " + std::string(kId)), 0) << out << err;
  put(name, entry);
  expect_damage(kId, "first record");
}

// ---- Gemini

struct GeminiRescueTruth : RescueTruth {
  static std::string header(const std::string& time) {
    return R"({"sessionId":")" + std::string(kId) + R"(","projectHash":"h","startTime":")" + time +
           R"(","lastUpdated":")" + time + R"(","kind":"main"})" + "\n";
  }
  static std::string turn(const std::string& number) {
    return R"({"id":"u)" + number + R"(","timestamp":"2026-01-01T00:00:0)" + number +
           R"(.000Z","type":"user","content":[{"text":"question )" + number + "\"}]}\n" + R"({"id":"g)" + number +
           R"(","timestamp":"2026-01-01T00:00:0)" + number + R"(.500Z","type":"gemini","content":"answer )" + number +
           R"(","model":"m"})" + "\n";
  }
  const std::string chats = ".gemini/tmp/alpha/chats/";
  const std::string first = chats + "session-2026-01-01T00-00-0a0a0a0a.jsonl";
  const std::string second = chats + "session-2026-01-02T00-00-0a0a0a0a.jsonl";
  const std::string older = header("2026-01-01T00:00:00.000Z") + turn("1");
  const std::string newer = header("2026-01-02T00:00:00.000Z") + turn("2");
};

TEST_F(GeminiRescueTruth, CopyHasMessagesOfEveryFile) {
  put(first, older + "{\"torn\n");
  put(second, newer);
  EXPECT_EQ(rescued(kId), older + newer);
  EXPECT_EQ(field({"records"}), "6") << out;
  ASSERT_EQ(sh("$H show " + std::string(kId)), 0) << err;
  const std::string shown = out.substr(out.find("question 1"));
  fs::remove(home + "/" + second);
  fs::copy_file(home + "/copy", home + "/" + first, fs::copy_options::overwrite_existing);
  ASSERT_EQ(sh("$H show " + std::string(kId)), 0) << err;
  EXPECT_EQ(out.substr(out.find("question 1")), shown) << "the copy is the whole session";
}

// A resume leaves a file with nothing but context behind, and a crash an empty one.
TEST_F(GeminiRescueTruth, FileWithoutConversationIsLeftOut) {
  put(first, older);
  put(second, header("2026-01-02T00:00:00.000Z") +
                  R"({"$set":{"messages":[{"id":"c","timestamp":"2026-01-02T00:00:00.000Z","type":"user",)"
                  R"("content":[{"text":"<session_context>\nwords"}]}]}})" +
                  "\n");
  put(chats + "session-2026-01-03T00-00-0a0a0a0a.jsonl", "");
  EXPECT_EQ(rescued(kId), older);
  ASSERT_EQ(sh("$H rescue " + std::string(kId) + " --install --yes"), 0) << err;
  EXPECT_TRUE(out.contains("the session is not damaged")) << out;
}

TEST_F(GeminiRescueTruth, EachDamagedFileIsRepairedInPlace) {
  put(first, older);
  put(second, newer + "{\"torn\n" + turn("3"));
  ASSERT_EQ(sh("$H rescue " + std::string(kId) + " --install --yes"), 0) << err;
  EXPECT_EQ(text(first), older);
  EXPECT_EQ(text(second), newer + turn("3"));
  EXPECT_EQ(sh("$H verify " + std::string(kId)), 0) << out;
}

// ---- opencode

TEST_F(RescueTruth, OpencodePartsOfLostMessageAreKept) {
  const std::string name = home + "/.local/share/opencode/opencode.db";
  fs::create_directories(fs::path(name).parent_path());
  std::ifstream schema(paths::source() + "/tests/fixtures/opencode/schema.sql");
  std::string sql(std::istreambuf_iterator<char>(schema), {});
  sql += R"(
INSERT INTO project VALUES('p','/p');
INSERT INTO session(id,project_id,slug,directory,title,version,time_created,time_updated)
  VALUES('ses_1','p','s','/p','t','1',1,1);
INSERT INTO message VALUES('msg_1','ses_1',1,0,'{"role":"user","time":{"created":1}}');
INSERT INTO part VALUES('prt_1','msg_1','ses_1',1,0,'{"type":"text","text":"the question"}');
INSERT INTO message VALUES('msg_3','ses_1',3,0,'{"role":"assistant","modelID":"m","providerID":"x","parentID":"msg_1"}');
INSERT INTO part VALUES('prt_4','msg_3','ses_1',3,0,'{"type":"text","text":"the end"}');
INSERT INTO part VALUES('prt_2','msg_2','ses_1',2,0,'{"type":"step-start"}');
INSERT INTO part VALUES('prt_3','msg_2','ses_1',2,0,'{"type":"text","text":"the answer"}');
)";
  sqlite3* database = nullptr;
  char* problem = nullptr;
  sqlite3_open(name.c_str(), &database);
  ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &problem), SQLITE_OK) << problem;
  sqlite3_close(database);
  const std::string copy = rescued("ses_1");
  std::string order;
  for (const JsonItem& message : JsonView(copy).find("messages").elements()) {
    const JsonView info = message.value.find("info");
    order += info.find("id").as_string().value_or("") + " " + info.find("role").as_string().value_or("") + "\n";
    if (!info.find("id").is_string("msg_2")) continue;
    for (const std::string_view key : {"parentID", "modelID", "providerID", "mode", "path", "cost", "tokens", "time"})
      EXPECT_TRUE(info.find(key)) << key;
    EXPECT_TRUE(info.find("parentID").is_string("msg_1")) << info.raw();
  }
  EXPECT_EQ(order, "msg_1 user\nmsg_2 assistant\nmsg_3 assistant\n");
  EXPECT_TRUE(copy.contains("the answer")) << copy;
  // Two sessions are meant, of which one is in the database.
  ASSERT_EQ(sh("$H export ses_1 --format json > $HOME/x.json && $H import $HOME/x.json"), 0) << err;
  EXPECT_EQ(sh("$H rescue ses_1 -o $HOME/another"), 3) << out;
  EXPECT_TRUE(err.contains("opencode/ses_1") && err.contains("holdfast/ses_1")) << err;
  EXPECT_EQ(sh("$H rescue opencode/ses_1 -o $HOME/another"), 0) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
