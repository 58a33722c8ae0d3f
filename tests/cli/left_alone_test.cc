// Whole data stays as it is: deeply nested records, and files that are only formatted differently. And rescue
// promises nothing for a file in which nothing is left.
#include <filesystem>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct IntactData : CliHome {
  void put(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
    fs::last_write_time(home + "/" + name, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  // Expects these counts and no damage in ls and show, and as many prompts in stats.
  void expect_counts(const std::string& id, const std::string& user, const std::string& records) {
    ASSERT_EQ(sh("$H ls --json"), 0) << err;
    const std::string counts = R"("counts":{"user":)" + user + ",";
    const std::string end = R"("records":)" + records + "}";
    EXPECT_TRUE(out.contains(counts) && out.contains(end) && out.contains(R"("damage":0)")) << out;
    ASSERT_EQ(sh("$H show " + id + " --json"), 0) << err;
    EXPECT_TRUE(out.contains(counts) && out.contains(end) && out.contains(R"("damage":0)")) << out;
    ASSERT_EQ(sh("$H stats --by session --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("prompts":)" + user)) << out;
  }
  bool kept_damaged(const std::string& name) const { return fs::exists(home + "/" + name + ".damaged"); }
};

std::string levels(std::size_t count) { return std::string(count, '[') + std::string(count, ']'); }

const std::string kClaude = ".claude/projects/-p/0a0a0a0a-0000-4000-8000-000000000001.jsonl";

std::string claude_line(const std::string& uuid, const std::string& parent, const std::string& text,
                        const std::string& more = "") {
  return R"({"parentUuid":)" + parent +
         R"(,"isSidechain":false,"cwd":"/p","sessionId":"0a0a0a0a-0000-4000-8000-000000000001","type":"user",)"
         R"("message":{"role":"user","content":")" +
         text + R"("},"uuid":")" + uuid + R"(","timestamp":"2026-01-01T00:00:00Z")" + more + "}\n";
}

TEST_F(IntactData, DeepLogRecordIsPreserved) {
  for (const std::size_t deep : {1100u, 5000u, 100'000u}) {
    SCOPED_TRACE(deep);
    const std::string log = claude_line("a", "null", "one") +
                            claude_line("b", "\"a\"", "zzdeep", R"(,"deep":)" + levels(deep)) +
                            claude_line("c", "\"b\"", "three");
    put(kClaude, log);
    expect_counts("0a0a0a0a", "3", "3");
    ASSERT_EQ(sh("$H show 0a0a0a0a"), 0) << err;
    EXPECT_TRUE(out.contains("one") && out.contains("zzdeep") && out.contains("three")) << out;
    EXPECT_EQ(sh("$H search zzdeep"), 0) << err;
    EXPECT_EQ(sh("$H verify 0a0a0a0a"), 0) << out;
    EXPECT_TRUE(out.contains("no damage") && (out + err).contains("1,024 levels")) << out << err;
    EXPECT_FALSE((out + err).contains("rescue")) << out << err;
    EXPECT_EQ(sh("$H rescue 0a0a0a0a --install --yes"), 0) << err;
    EXPECT_TRUE(out.contains("the session is not damaged; nothing was changed")) << out;
    EXPECT_EQ(text(kClaude), log);
    // The id after the deep value is the parent of other records.
    const std::string first = claude_line("a", "null", "one") + R"({"deep":)" + levels(deep) + "," +
                              claude_line("b", "\"a\"", "zzdeep").substr(1) + claude_line("c", "\"b\"", "three");
    put(kClaude, first);
    EXPECT_EQ(sh("$H rescue 0a0a0a0a --install --yes"), 0) << err;
    EXPECT_EQ(text(kClaude), first) << out;
    ASSERT_EQ(sh("$H show 0a0a0a0a"), 0) << err;
    EXPECT_TRUE(out.contains("one") && out.contains("zzdeep") && out.contains("three")) << out;
    // Beside damage the record is copied as it is, also at the end of the log and glued to another record.
    put(kClaude, "{\"torn\n" + log.substr(0, log.size() - 1));
    EXPECT_EQ(sh("$H rescue 0a0a0a0a --install --yes"), 0) << err;
    EXPECT_EQ(text(kClaude), log);
    const std::string last = log.substr(0, log.find("\n", log.find("zzdeep")));
    put(kClaude, "{\"torn\n" + last);
    EXPECT_EQ(sh("$H rescue 0a0a0a0a --install --yes"), 0) << err;
    EXPECT_EQ(text(kClaude), last + "\n");
    std::string glued = log;
    glued.erase(glued.find('\n'), 1);
    put(kClaude, glued);
    EXPECT_EQ(sh("$H rescue 0a0a0a0a --install --yes"), 0) << err;
    EXPECT_EQ(text(kClaude), log);
    for (const auto& entry : fs::directory_iterator(home + "/.claude/projects/-p"))
      if (entry.path().filename().string().contains(".damaged")) fs::remove(entry);
  }
}

// What follows a deep value is not read, but it is redacted.
TEST_F(IntactData, RedactsSecretsAfterDeepValue) {
  const std::string token = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7xZ9bC1dF3hJ5";
  const std::string secret = R"("d":)" + levels(2000) + R"(,"s":"the token )" + token + R"(","password":"hunter2zzq"})";
  put(kClaude,
      claude_line("a", "null", "one") +
          R"({"parentUuid":"a","sessionId":"0a0a0a0a-0000-4000-8000-000000000001","type":"assistant","message":)"
          R"({"role":"assistant","id":"m","model":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{)" +
          secret + R"(},{"type":"later",)" + secret + R"(]},"uuid":"b","timestamp":"2026-01-01T00:00:00Z"})" + "\n" +
          R"({"parentUuid":"b","type":"tomorrow","uuid":"c","timestamp":"2026-01-01T00:00:00Z",)" + secret + "\n");
  for (const std::string format : {"json", "md", "html", "atif"}) {
    ASSERT_EQ(sh("$H export 0a0a0a0a --branch all --redact --format " + format), 0) << err;
    EXPECT_FALSE(out.contains(token) || out.contains("hunter2zzq")) << format << out;
  }
  ASSERT_EQ(sh("$H handoff 0a0a0a0a --to codex --redact --project " + home + " -o " + home + "/next"), 0) << err;
  EXPECT_NE(sh("grep -rq -e " + token + " -e hunter2zzq " + home + "/next"), 0) << "nor has the next agent";
}

// The beginning of a deep record is damage like any other.
TEST_F(IntactData, CutDeepRecordIsDamage) {
  const std::string first = claude_line("a", "null", "one");
  put(kClaude, first + claude_line("b", "\"a\"", "two", R"(,"deep":)" + std::string(2000, '[')) +
                   claude_line("c", "\"a\"", "three"));
  EXPECT_EQ(sh("$H verify 0a0a0a0a"), 4) << out;
  EXPECT_EQ(sh("$H rescue 0a0a0a0a --install --yes"), 0) << err;
  EXPECT_EQ(text(kClaude), first + claude_line("c", "\"a\"", "three"));
}

const std::string kContinue = ".continue/sessions/120f6295-0000-4000-8000-000000000001.json";

std::string element(const std::string& role, const std::string& text, const std::string& more = "") {
  return R"({"message":{"role":")" + role + R"(","content":")" + text + R"("},"contextItems":[])" + more + "}";
}

std::string continue_document(const std::string& list) {
  return R"({"sessionId":"120f6295-0000-4000-8000-000000000001","title":"t","workspaceDirectory":"/p","history":[)" +
         list + "]}";
}

TEST_F(IntactData, DeepDocumentElementIsPreserved) {
  const std::string deep = element("assistant", "zzdeep", R"(,"deep":)" + levels(3000));
  const std::string whole =
      continue_document(element("user", "one") + "," + deep + "," + element("assistant", "three"));
  put(kContinue, whole);
  ASSERT_EQ(sh("$H show 120f6295"), 0) << err;
  EXPECT_TRUE(out.contains("one") && out.contains("zzdeep") && out.contains("three")) << out;
  EXPECT_EQ(sh("$H verify 120f6295"), 0) << out;
  EXPECT_TRUE((out + err).contains("1,024 levels")) << out << err;
  EXPECT_EQ(sh("$H rescue 120f6295 --install --yes"), 0) << err;
  EXPECT_TRUE(out.contains("not damaged; nothing was changed")) << out;
  EXPECT_EQ(text(kContinue), whole);
  put(kContinue, whole.substr(0, whole.size() - 20));
  EXPECT_EQ(sh("$H rescue 120f6295 --install --yes"), 0) << err;
  EXPECT_TRUE(text(kContinue).contains(deep)) << "what is whole is copied";
}

TEST_F(IntactData, EmptiedDocumentIsNotedWithoutRescueAdvice) {
  put(kContinue, "");
  EXPECT_EQ(sh("$H show 120f6295"), 0) << err;
  EXPECT_TRUE(err.contains("the file is empty")) << out << err;
  EXPECT_EQ(sh("$H verify 120f6295 --json"), 0) << out << err;
  EXPECT_TRUE(out.contains(R"("kind":"empty")") && out.contains(R"("records":0)")) << out;
  EXPECT_FALSE((out + err).contains("rescue")) << out << err;
}

TEST_F(IntactData, DocumentWithoutMessagesCannotBeRescued) {
  for (const std::string bytes : {R"({"sessionId":"x"})", R"({"sessionId":"x","hist)", "no JSON at all",
                                  R"({"sessionId":"x","history":[{"message":{"role":"us)"}) {
    SCOPED_TRACE(bytes);
    put(kContinue, bytes);
    EXPECT_EQ(sh("$H verify 120f6295"), 4) << out;
    EXPECT_TRUE(out.contains("no_messages")) << out;
    EXPECT_FALSE((out + err).contains("rescue")) << "it could save nothing: " << out << err;
    EXPECT_EQ(sh("$H rescue 120f6295 --install --yes"), 3) << out;
    ASSERT_EQ(sh("$H ls --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("damage":1)")) << out;
  }
  put(kContinue, R"({"sessionId":"x","turns":[{"message":{"role":"user","content":"zzturn"}}]})");
  EXPECT_EQ(sh("$H show 120f6295"), 0) << err;
  EXPECT_TRUE(out.contains("zzturn")) << out;
  EXPECT_EQ(sh("$H search zzturn"), 0) << err;
}

TEST_F(IntactData, GeminiDocumentWithoutMessagesIsDamage) {
  const std::string name = ".gemini/tmp/alpha/chats/session-2026-01-01T00-00-9617824d.json";
  const std::string head = R"({"sessionId":"9617824d-0000-4000-8000-000000000001","projectHash":"h")";
  for (const std::string& bytes :
       {head + "}", head + R"(,"messages":{}})", head + R"(,"messages":null})", std::string("[]"), std::string("42")}) {
    SCOPED_TRACE(bytes);
    put(name, bytes);
    EXPECT_EQ(sh("$H verify 9617824d"), 4) << out;
    EXPECT_TRUE(out.contains("no_messages")) << out;
    EXPECT_FALSE((out + err).contains("rescue")) << "it could save nothing: " << out << err;
    ASSERT_EQ(sh("$H ls --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("damage":1)")) << out;
  }
  put(name, head + R"(,"messages":[]})");
  EXPECT_EQ(sh("$H verify 9617824d"), 0) << "nothing was said yet: " << out;
  put(name, head + R"(,"turns":[{"type":"user","content":"zzturn"}]})");
  EXPECT_EQ(sh("$H verify 9617824d"), 4) << out;
  EXPECT_EQ(sh("$H show 9617824d"), 0) << err;
  EXPECT_TRUE(out.contains("zzturn")) << out;
  EXPECT_EQ(sh("$H search zzturn"), 0) << err;
}

TEST_F(IntactData, DifferentFormattingIsNotDamage) {
  const std::string log = claude_line("a", "null", "one") + claude_line("b", "\"a\"", "two");
  std::string returns = log;
  for (std::size_t at = 0; (at = returns.find('\n', at)) != std::string::npos; at += 2) returns.insert(at, "\r");
  for (const std::string& written : {returns, "\n" + log, log.substr(0, log.size() - 1)}) {
    put(kClaude, written);
    EXPECT_EQ(sh("$H verify 0a0a0a0a"), 0) << out;
    EXPECT_EQ(sh("$H rescue 0a0a0a0a --install --dry-run"), 0) << err;
    EXPECT_TRUE(out.contains("would do nothing: the session is not damaged")) << out;
    EXPECT_EQ(sh("$H rescue 0a0a0a0a --install --yes"), 0) << err;
    EXPECT_TRUE(out.contains("the session is not damaged; nothing was changed")) << out;
    EXPECT_EQ(text(kClaude), written);
    EXPECT_FALSE(kept_damaged(kClaude));
  }
}

// The id of pi's header names the session; it is no record's parent.
TEST_F(IntactData, PiHeaderIsNotParentOfEntries) {
  const std::string id = "01a1dcca-0000-4000-8000-000000000001";
  const std::string log = ".pi/agent/sessions/--p--/2026-01-01T00-00-00-000Z_" + id + ".jsonl";
  const auto entry = [](const std::string& name, const std::string& parent, const std::string& said) {
    return R"({"type":"message","id":")" + name + R"(","parentId":)" + parent +
           R"(,"timestamp":"2026-01-01T00:00:00Z","message":)" + said + "}\n";
  };
  const std::string header =
      R"({"type":"session","version":3,"id":")" + id + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})" + "\n";
  const std::string answer = R"({"role":"assistant","content":[{"type":"text","text":"done"}],"stopReason":"stop"})";
  const std::string repaired = header + entry("b", "null", answer) + entry("c", "\"b\"", answer);
  // The first entry is torn; or a repair has linked the entry after it to the header.
  for (const std::string& damaged :
       {header + "{\"type\":\"mess\n" + entry("b", "\"a\"", answer) + entry("c", "\"b\"", answer),
        header + entry("b", "\"" + id + "\"", answer) + entry("c", "\"b\"", answer)}) {
    put(log, damaged);
    EXPECT_EQ(sh("$H verify 01a1dcca"), 4) << out;
    EXPECT_EQ(sh("$H rescue 01a1dcca --install --yes"), 0) << err;
    EXPECT_EQ(text(log), repaired);
    EXPECT_EQ(sh("$H verify 01a1dcca"), 0) << out;
  }
}

// One of the two files has only the first digits of the id.
TEST_F(IntactData, EmptiedGeminiFileIsNotSeparateSession) {
  const std::string folder = ".gemini/tmp/alpha/chats/", id = "9617824d-0000-4000-8000-000000000001";
  const std::string header = R"({"sessionId":")" + id +
                             R"(","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z",)"
                             R"("lastUpdated":"2026-01-01T00:00:00.000Z","kind":"main"})"
                             "\n";
  put(folder + "session-2026-01-01T00-00-9617824d.jsonl", "");
  put(folder + "session-2026-01-02T00-00-9617824d.jsonl",
      header + R"({"id":"u1","timestamp":"2026-01-02T00:00:01.000Z","type":"user","content":"the question"})" + "\n" +
          R"({"id":"g1","timestamp":"2026-01-02T00:00:02.000Z","type":"gemini","content":"the answer","model":"m"})" +
          "\n");
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
  EXPECT_TRUE(out.contains("\"id\":\"" + id + "\"") && out.contains("2026-01-02T00-00-9617824d.jsonl")) << out;
  ASSERT_EQ(sh("$H show 9617824d"), 0) << err;
  EXPECT_TRUE(out.contains("the question") && out.contains("the answer")) << out;
  EXPECT_EQ(sh("$H verify --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("kind":"empty")")) << "the emptied file is said: " << out;
}

}  // namespace
}  // namespace holdfast::inline v1
