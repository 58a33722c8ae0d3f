#include "transfer/transcript_text.h"

#include <gtest/gtest.h>

#include "transfer/tool_line.h"

namespace holdfast::inline v1 {
namespace {

Block tool(std::string name, std::string json) {
  Block call{.kind = BlockKind::tool_call, .id = "t1", .name = std::move(name)};
  call.json = std::move(json);
  return call;
}

Transcript example() {
  Transcript transcript;
  transcript.session.id = "ses_1";
  transcript.session.layout = "holdfast";
  transcript.session.title = "Fix it";
  Message prompt;
  prompt.timestamp = "2026-11-15T01:06:32Z";
  prompt.blocks.push_back({.kind = BlockKind::text, .text = "please \x1b[31mfix\x1b[0m \u202Eit"});
  Message answer;
  answer.role = Role::assistant;
  answer.origin = Origin::model;
  answer.ordinal = 1;
  answer.model = "opus";
  answer.blocks.push_back({.kind = BlockKind::thinking, .text = "Well.\nLong thought."});
  answer.blocks.push_back({.kind = BlockKind::text, .text = "# Plan\nI **look**."});
  answer.blocks.push_back(tool("Bash", R"({"command":"ls -l\n/tmp"})"));
  Message result;
  result.role = Role::tool;
  result.origin = Origin::tool;
  result.ordinal = 2;
  result.blocks.push_back({.kind = BlockKind::tool_result, .text = "\nfirst\nsecond\n", .id = "t1"});
  transcript.messages = {prompt, answer, result};
  return transcript;
}

TEST(TranscriptText, FoldsToolsAndThoughtsAndRemovesControls) {
  EXPECT_EQ(
      transcript_text(example(), {}),
      "Fix it\nholdfast · unknown · 0 prompts, 0 answers · 0 tokens out\nses_1\n"
      "\n> you  [0] 2026-11-15 01:06\n    please fix it\n"
      "\nopus  [1]\n    (thinks) Well.\n    # Plan\n    I **look**.\n    Bash ls -l /tmp\n      = first (+1 lines)\n");
}

TEST(TranscriptText, ColorsComeOnlyFromHoldfast) {
  const std::string text = transcript_text(example(), {.colour = true});
  EXPECT_NE(text.find("\x1b[1mlook\x1b[0m"), std::string::npos);
  EXPECT_EQ(text.find("\x1b[31m"), std::string::npos);
  EXPECT_EQ(text.find("\u202E"), std::string::npos);
}

TEST(TranscriptText, ShowsEverythingOnRequest) {
  const std::string text = transcript_text(example(), {.tools = true, .thinking = true});
  EXPECT_NE(text.find("    | Long thought.\n"), std::string::npos);
  EXPECT_NE(text.find("      second\n"), std::string::npos);
  EXPECT_NE(text.find("\\n/tmp"), std::string::npos);
}

TEST(TranscriptText, OpensAtMessage) {
  Transcript transcript = example();
  for (int i = 3; i < 30; ++i) {
    Message more;
    more.ordinal = i;
    more.blocks.push_back({.kind = BlockKind::text, .text = "text " + std::to_string(i)});
    transcript.messages.push_back(more);
  }
  const std::string text = transcript_text(transcript, {.at = 20});
  EXPECT_NE(text.find("text 20\n"), std::string::npos);
  EXPECT_EQ(text.find("text 5\n"), std::string::npos);
}

// A requested message is shown, even if it is normally hidden.
TEST(TranscriptText, OpensAtInjectedContext) {
  Transcript transcript;
  for (int i = 0; i < 3; ++i) {
    Message message;
    message.ordinal = i;
    message.role = Role::system;
    message.origin = Origin::injected;
    message.blocks.push_back({.kind = BlockKind::text, .text = "text " + std::to_string(i)});
    message.blocks.push_back({.kind = BlockKind::other, .json = "{\"other\":" + std::to_string(i) + "}"});
    transcript.messages.push_back(message);
  }
  EXPECT_EQ(transcript_text(transcript, {.head = false, .at = 1}), "\nsystem  [1]\n    text 1\n    {\"other\":1}\n");
}

Transcript transcript_of(const std::vector<Block>& blocks) {
  Transcript transcript;
  for (const Block& block : blocks) {
    const bool asks = block.kind == BlockKind::tool_call;
    Message message;
    message.role = asks ? Role::assistant : Role::tool;
    message.origin = asks ? Origin::model : Origin::tool;
    message.ordinal = static_cast<std::int64_t>(transcript.messages.size());
    message.blocks = {block};
    transcript.messages.push_back(message);
  }
  return transcript;
}
Block result(std::string text) { return {.kind = BlockKind::tool_result, .text = std::move(text), .id = "t1"}; }

TEST(TranscriptText, ResultWithoutOpenCallStandsAlone) {
  EXPECT_EQ(transcript_text(transcript_of({result("early"), tool("A", "{}"), result("a"), result("again"),
                                           tool("B", "{}"), result("b"), tool("C", "{}")}),
                            {.head = false}),
            "\ntool  [0]\n      = early\n\nassistant  [1]\n    A\n      = a\n\ntool  [3]\n      = again\n"
            "\nassistant  [4]\n    B\n      = b\n\nassistant  [6]\n    C\n      (no result)\n");
}

// With foresight, which is requested when many messages wait, calls wait only for results that will come.
TEST(TranscriptText, ManyCallsWithOneId) {
  std::vector<Block> blocks;
  for (int i = 0; i < 300; ++i) blocks.push_back(tool("T" + std::to_string(i), "{}"));
  for (int i = 0; i < 200; ++i) blocks.push_back(result("R" + std::to_string(i)));
  const std::string text = transcript_text(transcript_of(blocks), {.head = false});
  for (int i = 0; i < 300; ++i) {
    const std::string mine = i < 200 ? "  = R" + std::to_string(i) : "  (no result)";
    EXPECT_NE(text.find("    T" + std::to_string(i) + "\n    " + mine + "\n"), std::string::npos) << i;
  }
  EXPECT_EQ(text.find("tool  ["), std::string::npos);
}

TEST(ToolLine, EditsAreShownAsDiff) {
  const auto edit = edit_of(tool("Edit", R"({"old_string":"a\nb\nc\nd","new_string":"a\nb\nX\nd"})"));
  std::string text;
  for (const DiffLine& line : edit) text += line.mark + line.text + "|";
  EXPECT_EQ(text, " a| b|-c|+X| d|");
  EXPECT_TRUE(edit_of(tool("Bash", R"({"command":"x"})")).empty());
}

}  // namespace
}  // namespace holdfast::inline v1
