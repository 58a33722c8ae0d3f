// One fault in one session, and what can still be read: the table that other readers
// were measured by. A salvaging reader should get 59 of 60 messages with half a line,
// and all of them with every other fault.
#include <functional>

#include "transfer/planted_testing.h"
#include "transfer/verify.h"

namespace holdfast::inline v1 {
namespace {

using Lines = std::vector<std::string>;

constexpr char kId[] = "0199a000-0000-7000-8000-0000000000a1";

std::string stamp(int number) {
  const std::string digits = std::to_string(1000 + number);
  return "2026-01-01T00:" + digits.substr(0, 2) + ":" + digits.substr(2) + ".000Z";
}

// 60 messages.
Lines claude_lines() {
  Lines lines;
  for (int i = 0; i < 60; ++i) {
    const std::string number = std::to_string(i), role = i % 2 == 0 ? "user" : "assistant";
    const std::string parent = i == 0 ? "null" : "\"m" + std::to_string(i - 1) + "\"";
    const std::string inner = i % 2 == 0
                                  ? R"("content":"question )" + number + "\""
                                  : R"("id":"r)" + number + R"(","model":"m","content":[{"type":"text","text":")" +
                                        "answer " + number + R"("}],"usage":{"output_tokens":1})";
    lines.push_back("{\"parentUuid\":" + parent + ",\"type\":\"" + role + "\",\"uuid\":\"m" + number +
                    "\",\"timestamp\":\"" + stamp(i) + "\",\"sessionId\":\"" + kId + "\",\"cwd\":\"/p\",\"message\":{" +
                    "\"role\":\"" + role + "\"," + inner + "}}");
  }
  return lines;
}

// A first line, and 30 items.
Lines codex_lines() {
  Lines lines{"{\"timestamp\":\"" + stamp(0) + R"(","type":"session_meta","payload":{"id":")" + kId +
              R"(","timestamp":")" + stamp(0) + R"(","cwd":"/p","originator":"codex_exec","cli_version":"0.166.0"}})"};
  for (int i = 0; i < 30; ++i) {
    const std::string role = i % 2 == 0 ? "user" : "assistant", kind = i % 2 == 0 ? "input_text" : "output_text";
    lines.push_back("{\"timestamp\":\"" + stamp(i + 1) + R"(","type":"response_item","payload":{"type":"message",)" +
                    R"("role":")" + role + R"(","content":[{"type":")" + kind + R"(","text":"item )" +
                    std::to_string(i) + "\"}]}}");
  }
  return lines;
}

std::string joined(const Lines& lines, const std::string& between = "\n") {
  std::string text;
  for (const std::string& line : lines) text += line + between;
  return text;
}

struct FaultTable : testing::Test {
  SimFileSystem files;
  Context context;

  std::shared_ptr<Store> with(const std::string& layout, const std::string& bytes) {
    const std::string path = layout == "codex"
                                 ? std::string("/s/sessions/2026/01/01/rollout-2026-01-01T00-00-00-") + kId + ".jsonl"
                                 : std::string("/s/projects/-p/") + kId + ".jsonl";
    must(files.put_file(path, bytes));
    return must(Store::open(context, files, {.layout = layout, .roots = {{"", "/s"}}}));
  }
  // The number of messages that `show` prints. The session must be listed, and verify must report damage if `damaged`.
  std::size_t messages(const std::string& layout, const std::string& bytes, bool damaged) {
    const auto store = with(layout, bytes);
    const SessionList list = must(store->list(context));
    EXPECT_EQ(list.total, 1u);
    if (!list.sessions.empty()) {
      EXPECT_EQ(list.sessions[0].id, kId);
    }
    VerifyReport report;
    must(verify_store(context, *store, {}, report));
    EXPECT_EQ(!report.damage.empty(), damaged);
    const Transcript transcript = must(store->read(context, kId));
    for (std::size_t i = 1; i < transcript.messages.size(); ++i) {
      EXPECT_GE(transcript.messages[i].timestamp, transcript.messages[i - 1].timestamp);
    }
    return transcript.messages.size();
  }
};

TEST_F(FaultTable, ClaudeKeepsMessagesAfterEachFault) {
  const Lines clean = claude_lines();
  const std::string whole = joined(clean);
  EXPECT_EQ(messages("claude-code", whole, false), 60u);
  EXPECT_EQ(messages("claude-code", whole.substr(0, whole.size() - clean.back().size() / 2), true), 59u) << "torn tail";
  EXPECT_EQ(messages("claude-code", whole.substr(0, whole.size() - 1), false), 60u) << "no final newline";
  EXPECT_EQ(messages("claude-code", joined(clean, "\r\n"), false), 60u) << "CRLF";
  for (const std::size_t at : {std::size_t{3}, std::size_t{30}, std::size_t{57}}) {
    SCOPED_TRACE(at);
    const auto changed = [&](const std::function<void(Lines&)>& change) {
      Lines lines = clean;
      change(lines);
      return joined(lines);
    };
    EXPECT_EQ(messages("claude-code", changed([&](Lines& all) { all[at].resize(all[at].size() / 2); }), true), 59u);
    EXPECT_EQ(messages("claude-code", changed([&](Lines& all) {
                         all[at] += all[at + 1];
                         all.erase(all.begin() + static_cast<std::ptrdiff_t>(at) + 1);
                       }),
                       true),
              60u)
        << "glued";
    EXPECT_EQ(messages("claude-code", changed([&](Lines& all) { all[at].insert(0, std::string(4096, '\0')); }), true),
              60u)
        << "NUL bytes in front";
    EXPECT_EQ(messages("claude-code", changed([&](Lines& all) {
                         all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), std::string(4096, '\0'));
                       }),
                       true),
              60u)
        << "NUL bytes as a line";
    EXPECT_EQ(messages("claude-code", changed([&](Lines& all) { all[at].insert(all[at].find("/p\""), "\xff"); }), true),
              60u)
        << "not UTF-8";
    // The same line twice is shown once and counts once.
    const std::string twice =
        changed([&](Lines& all) { all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), clean[at]); });
    EXPECT_EQ(messages("claude-code", twice, true), 60u);
    const Session row = must(with("claude-code", twice)->get(context, kId));
    EXPECT_EQ(row.counts.user + row.counts.assistant, 60);
  }
}

TEST_F(FaultTable, CodexKeepsMessagesAfterEachFault) {
  const Lines clean = codex_lines();
  const std::string whole = joined(clean);
  EXPECT_EQ(messages("codex", whole, false), 30u);
  EXPECT_EQ(messages("codex", joined(clean, "\r\n"), false), 30u) << "CRLF";
  EXPECT_EQ(messages("codex", whole.substr(0, whole.size() - 1), false), 30u) << "no final newline";
  EXPECT_EQ(messages("codex", whole.substr(0, whole.size() - clean.back().size() / 2), true), 29u) << "torn tail";
  for (const std::size_t at : {std::size_t{1}, std::size_t{15}, std::size_t{16}, std::size_t{29}}) {
    SCOPED_TRACE(at);
    Lines half = clean, glued = clean, nul = clean;
    half[at].resize(half[at].size() / 2);
    EXPECT_EQ(messages("codex", joined(half), true), 29u);
    glued[at] += glued[at + 1];
    glued.erase(glued.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    EXPECT_EQ(messages("codex", joined(glued), true), 30u);
    nul[at].insert(0, std::string(4096, '\0'));
    EXPECT_EQ(messages("codex", joined(nul), true), 30u);
  }
  // Without its first line the file is still a session: its name has the id.
  Lines headless = clean;
  headless[0].resize(headless[0].size() / 2);
  EXPECT_EQ(messages("codex", joined(headless), true), 30u);
}

// Gemini's own client deletes such files.
TEST_F(FaultTable, GeminiIsReadWithoutItsFirstLine) {
  Planted planted = plant(files, context, "gemini");
  planted.lines[0].resize(planted.lines[0].size() / 2);
  must(files.put_file(planted.log, planted.bytes()));
  const auto store = must(Store::open(context, files, {.layout = "gemini", .roots = {{"", planted.root}}}));
  const SessionList list = must(store->list(context));
  ASSERT_EQ(list.total, 1u);
  EXPECT_EQ(list.sessions[0].damage, 1);
  EXPECT_EQ(must(store->read(context, list.sessions[0].id)).messages.size(), 6u);
}

}  // namespace
}  // namespace holdfast::inline v1
