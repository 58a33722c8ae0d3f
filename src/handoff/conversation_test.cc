#include "handoff/conversation.h"

#include <gtest/gtest.h>

#include "handoff/cut.h"
#include "handoff/handoff_testing.h"
#include "handoff/turn_adapter.h"

namespace holdfast::inline v1 {
namespace {

std::uint64_t count_in(const std::vector<ReportLine>& lines, std::string_view kind) {
  std::uint64_t sum = 0;
  for (const ReportLine& line : lines) sum += line.kind == kind ? line.count : 0;
  return sum;
}

TEST(Conversation, ResultsAreMatchedToTheirCalls) {
  const Conversation conversation = conversation_of(transcript(
      {said(Role::user, "go"), asks({call("a", "Bash", "{}"), call("b", "Bash", "{}")}), gives("b", "second", true),
       gives("a", "first"), asks({call("c", "Bash", "{}")}), said(Role::user, "next")}));
  ASSERT_EQ(conversation.turns.size(), 4u);
  const Turn& pair = conversation.turns[1];
  ASSERT_EQ(pair.results.size(), 2u);
  EXPECT_EQ(pair.results[0].text, "first");
  EXPECT_EQ(pair.results[1].text, "second");
  EXPECT_TRUE(pair.results[1].is_error);
  EXPECT_EQ(conversation.turns[2].results[0].text, kNoResult);
  EXPECT_TRUE(conversation.turns[2].results[0].is_error);
  EXPECT_EQ(count_in(conversation.report.changed, "tool calls without a result"), 1u);
}

TEST(Conversation, CallsOfOneResponseAreOneTurn) {
  Message first = asks({call("a", "Bash", "{}")}), second = asks({call("b", "Bash", "{}")});
  first.response = second.response = "msg_1";
  const Conversation conversation =
      conversation_of(transcript({said(Role::user, "go"), first, gives("a", "1"), second, gives("b", "2")}));
  ASSERT_EQ(conversation.turns.size(), 2u);
  EXPECT_EQ(conversation.turns[1].results.size(), 2u);
  EXPECT_EQ(conversation.turns[1].results[1].text, "2");
}

TEST(Conversation, ServerToolResultIsInTheSameTurn) {
  Message search = asks({call("w", "web_search", "{}"),
                         {.kind = BlockKind::tool_result, .text = "found", .id = "w"},
                         {.kind = BlockKind::text, .text = "it says so"}});
  const Conversation conversation = conversation_of(transcript({said(Role::user, "search"), search}));
  ASSERT_EQ(conversation.turns.size(), 2u);
  ASSERT_EQ(conversation.turns[1].results.size(), 1u);
  EXPECT_EQ(conversation.turns[1].results[0].text, "found");
  EXPECT_EQ(conversation.turns[1].blocks[1].text, "it says so");
}

TEST(Conversation, SuccessiveCallsAreSeparateTurns) {
  const Conversation conversation =
      conversation_of(transcript({said(Role::user, "go"), asks({call("a", "Bash", "{}")}), gives("a", "1"),
                                  asks({call("a", "Bash", "{}")}), gives("a", "2")}));
  ASSERT_EQ(conversation.turns.size(), 3u);
  EXPECT_EQ(conversation.turns[1].results[0].text, "1");
  EXPECT_EQ(conversation.turns[2].results[0].text, "2");
}

TEST(Conversation, CallsOfOneAnswerMayShareAnId) {
  for (const std::string id : {"call_0", ""}) {
    const Conversation conversation = conversation_of(transcript(
        {said(Role::user, "go"), asks({call(id, "Bash", "{}"), call(id, "Bash", "{}"), call(id, "Bash", "{}")}),
         gives(id, "1"), gives(id, "2"), gives(id, "3")}));
    ASSERT_EQ(conversation.turns.size(), 2u);
    ASSERT_EQ(conversation.turns[1].results.size(), 3u);
    for (const std::size_t n : {0U, 1U, 2U}) EXPECT_EQ(conversation.turns[1].results[n].text, std::to_string(n + 1));
    EXPECT_EQ(count_in(conversation.report.changed, "outputs that came later"), 0u);
  }
}

TEST(Conversation, ReportsWhatIsLeftBehind) {
  Message failed = said(Role::assistant, "API Error: 500");
  failed.failed = true;
  Message side = said(Role::assistant, "from below");
  side.side = true;
  const Conversation conversation = conversation_of(transcript(
      {said(Role::user, "<context>", Origin::injected), said(Role::user, "go"), failed, side,
       said(Role::assistant, "  \n"), gives("nobody", "an output"), said(Role::system, "boundary", Origin::notice)}));
  ASSERT_EQ(conversation.turns.size(), 2u);
  EXPECT_EQ(conversation.turns[0].blocks[0].text, "go");
  EXPECT_EQ(conversation.turns[1].blocks[0].text, std::string(kNoCall) + "an output");
  const auto& left = conversation.report.left_behind;
  EXPECT_EQ(count_in(left, "context that the agent added"), 1u);
  EXPECT_EQ(count_in(left, "errors of the API"), 1u);
  EXPECT_EQ(count_in(left, "messages of sub-agents"), 1u);
  EXPECT_EQ(count_in(left, "empty answers"), 1u);
  EXPECT_EQ(count_in(left, "records of the agent itself"), 1u);
}

Transcript four_prompts() {
  std::vector<Message> messages;
  for (const char* const text : {"one", "two", "three", "four"}) {
    messages.push_back(said(Role::user, text));
    messages.push_back(said(Role::assistant, std::string("answer to ") + text));
  }
  messages[4].id = "third";
  return transcript(std::move(messages));
}

TEST(Cut, ByPromptsMessagesAndTokens) {
  const auto first_of = [](const CutOptions& options) {
    Conversation conversation = conversation_of(four_prompts());
    const auto done = cut(conversation, options);
    return done ? conversation.turns.front().blocks[0].text : done.error().text();
  };
  EXPECT_EQ(first_of({}), "one");
  EXPECT_EQ(first_of({.last = 1}), "four");
  EXPECT_EQ(first_of({.last = 9}), "one");
  EXPECT_EQ(first_of({.from = "third"}), "three");
  EXPECT_EQ(first_of({.from = "3"}), "two");
  EXPECT_EQ(first_of({.fit = 30}), "three");
  Conversation conversation = conversation_of(four_prompts());
  EXPECT_EQ(cut(conversation, {.from = "nowhere"}).error().code, Code::not_found);
  EXPECT_EQ(cut(conversation, {.fit = 3}).error().code, Code::too_large);
  EXPECT_TRUE(cut(conversation, {.last = 1}));
  EXPECT_EQ(count_in(conversation.report.left_behind, "earlier turns"), 6u);
}

TEST(Cut, SummaryReplacesEarlierTurns) {
  const auto messages = [] {
    return transcript({said(Role::user, "one"), said(Role::assistant, "1"),
                       said(Role::user, "It was about one.", Origin::summary), said(Role::assistant, "2")});
  };
  Conversation conversation = conversation_of(messages());
  ASSERT_TRUE(cut(conversation, {}));
  EXPECT_EQ(conversation.turns.front().blocks[0].text, "It was about one.");
  Conversation all = conversation_of(messages());
  ASSERT_TRUE(cut(all, {.from = "0"}));
  EXPECT_EQ(all.turns.size(), 4u);
}

TEST(Suit, ToolNamesArePlainAndIdsAreUnique) {
  Conversation conversation = conversation_of(
      transcript({said(Role::user, "go"), asks({call("a\"; rm -rf /", "evil\nname", "[1]"), call("b", "x", "null")}),
                  gives("a\"; rm -rf /", "1"), gives("b", "2"), asks({call("b", "x", "{}")}), gives("b", "3")}));
  suit(conversation, {});
  const Turn& turn = conversation.turns[1];
  EXPECT_TRUE(turn.blocks[0].id.starts_with("call_"));
  EXPECT_EQ(turn.blocks[0].id, turn.results[0].id);
  EXPECT_TRUE(turn.blocks[0].name.starts_with("evil_name_")) << turn.blocks[0].name;
  EXPECT_EQ(turn.blocks[0].json, R"({"input":[1]})");
  EXPECT_EQ(turn.blocks[1].json, "{}");
  EXPECT_EQ(turn.blocks[1].id, "b");
  EXPECT_NE(conversation.turns[2].blocks[0].id, "b");
  EXPECT_EQ(conversation.turns[2].blocks[0].id, conversation.turns[2].results[0].id);
}

TEST(Suit, AppliesTraitsOfTheTarget) {
  const auto suited = [](NewSessionTraits traits) {
    Message thought = said(Role::assistant, "an answer");
    thought.blocks.insert(thought.blocks.begin(), {.kind = BlockKind::thinking, .text = "hm"});
    Message picture = said(Role::user, "look");
    picture.blocks.push_back({.kind = BlockKind::image, .media_type = "image/png", .data = "PNG", .bytes = 3});
    Conversation conversation = conversation_of(
        transcript({said(Role::user, "go"), picture, thought, asks({call("a", "x", "{}")}), gives("a", "out", true)}));
    suit(conversation, {.traits = traits});
    return conversation;
  };
  const Conversation plain = suited({.images = false, .failures = false});
  EXPECT_EQ(plain.turns.size(), 4u);
  EXPECT_EQ(plain.turns[1].blocks[1].text, "[an image, image/png, 3 bytes: not carried]");
  EXPECT_EQ(plain.turns[2].blocks[0].text, "<thinking>\nhm\n</thinking>");
  EXPECT_EQ(plain.turns[3].results[0].text, std::string(kFailedMark) + "out");
  const Conversation rich = suited({.thinks = true, .alternates = true});
  ASSERT_EQ(rich.turns.size(), 2u);
  EXPECT_EQ(rich.turns[0].blocks.size(), 3u);
  EXPECT_EQ(rich.turns[0].blocks[2].kind, BlockKind::image);
  EXPECT_EQ(rich.turns[1].blocks[0].kind, BlockKind::thinking);
  ASSERT_EQ(rich.turns[1].results.size(), 1u);
  EXPECT_EQ(rich.turns[1].results[0].text, "out");
  EXPECT_EQ(count_in(rich.report.carried, "images"), 1u);
}

TEST(Suit, SecretsAreHiddenEverywhere) {
  const std::string secret = "ghp_" + std::string("a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
  Conversation conversation = conversation_of(
      transcript({said(Role::user, "use " + secret),
                  asks({call("a", "Bash", R"({"command":"echo )" + secret + R"("})")}), gives("a", secret)}));
  suit(conversation, {.redact = true});
  for (const Turn& turn : conversation.turns) {
    for (const Block& block : turn.blocks) EXPECT_EQ((block.text + block.json).find(secret), std::string::npos);
    for (const Block& block : turn.results) EXPECT_EQ(block.text.find(secret), std::string::npos);
  }
}

}  // namespace
}  // namespace holdfast::inline v1
