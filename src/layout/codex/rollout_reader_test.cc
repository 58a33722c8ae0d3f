#include "layout/codex/rollout_reader.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1::codex {
namespace {

struct Told final : Events {
  void facts(const SessionFacts&) override {}
  bool message(Message message) override {
    messages.push_back(std::move(message));
    return true;
  }
  std::vector<Message> messages;
};

std::vector<Message> read(const std::vector<std::string>& lines) {
  Told told;
  RolloutReader reader(told, "thread", false);
  reader.begin_file({});
  for (const std::string& line : lines) reader.take({line});
  reader.finish();
  return told.messages;
}

std::string line(const std::string& type, const std::string& payload) {
  return R"({"timestamp":"2026-01-01T00:00:00Z","type":")" + type + R"(","payload":)" + payload + "}";
}

std::string figures(int input, int output) {
  return R"({"input_tokens":)" + std::to_string(input) + R"(,"output_tokens":)" + std::to_string(output) + "}";
}

std::string answer(const std::string& text) {
  return line("response_item",
              R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":")" + text + R"("}]})");
}

std::string count(const std::string& total) {
  return line("event_msg", R"({"type":"token_count","info":{"total_token_usage":)" + total + "}}");
}

std::string record(const std::string& response, int input, int output, const std::string& total) {
  return line("token_usage_record", R"({"response_id":")" + response + R"(","usage":)" + figures(input, output) +
                                        R"(,"thread_token_usage":)" + total + "}");
}

TEST(RolloutReader, RepeatedTotalsCountOnce) {
  const auto messages =
      read({answer("a"), count(figures(10, 5)), count(R"({"output_tokens":5,"input_tokens":10})"), answer("b"),
            count(figures(17, 8)), count(figures(17, 8)), answer("c"), count(figures(18, 9))});
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0].usage.value_or(Usage{}).input, 10);
  EXPECT_EQ(messages[1].usage.value_or(Usage{}).input, 7);
  EXPECT_EQ(messages[1].usage.value_or(Usage{}).output, 3);
  EXPECT_EQ(messages[2].usage.value_or(Usage{}).output, 1);
}

// Killed in a tool, before the total was written; the resumed client continues from the previous total.
TEST(RolloutReader, TotalsAreIgnoredWhenResponsesHaveUsageRecords) {
  const auto messages = read({answer("a"), record("r1", 10, 5, figures(10, 5)), count(figures(10, 5)), answer("b"),
                              record("r2", 7, 3, figures(17, 8)), count(figures(10, 5)), answer("c"),
                              record("r3", 1, 1, figures(18, 9)), count(figures(11, 6)), count(figures(18, 9))});
  ASSERT_EQ(messages.size(), 3u);
  Usage all;
  for (const Message& message : messages) all += message.usage.value_or(Usage{});
  EXPECT_EQ(all.input, 18);
  EXPECT_EQ(all.output, 9);
  EXPECT_EQ(messages[0].response, "r1");
}

// Token counts end a response: results that came before them do not split the next one.
TEST(RolloutReader, ResultBeforeTokenCountDoesNotSplitNextResponse) {
  const std::string call =
      line("response_item", R"({"type":"function_call","name":"shell","call_id":"c","arguments":"{}"})");
  const std::string output = line("response_item", R"({"type":"function_call_output","call_id":"c","output":"o"})");
  const auto messages = read({call, output, count(figures(1, 1)), answer("b"), call, count(figures(2, 2))});
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[2].blocks.size(), 2u);
}

TEST(RolloutReader, ReadsEventsWithTypeBeforeOrAfterPayload) {
  const std::string payload = R"({"type":"error","message":"it broke"})";
  for (const std::string& record :
       {line("event_msg", payload), R"({"payload":)" + payload + R"(,"type":"event_msg"})"}) {
    const auto messages = read({record});
    ASSERT_EQ(messages.size(), 1u) << record;
    EXPECT_EQ(messages[0].text(), "it broke");
    EXPECT_EQ(messages[0].origin, Origin::notice);
  }
}

std::string event(const std::string& type, const std::string& more = "") {
  return line("event_msg", R"({"type":")" + type + "\"" + more + "}");
}

std::string item_event(const std::string& kind, const std::string& content = "[]") {
  return event("item_completed", R"(,"thread_id":"t","item":{"type":")" + kind + R"(","content":)" + content + "}");
}

std::string prompt(const std::string& text) {
  return line("response_item",
              R"({"type":"message","role":"user","content":[{"type":"input_text","text":")" + text + R"("}]})");
}

std::string told(const std::string& text) { return event("user_message", R"(,"message":")" + text + "\""); }

std::string texts(const std::vector<Message>& messages) {
  std::string all;
  for (const Message& message : messages)
    if (message.origin == Origin::typed) all += message.text() + ";";
  return all;
}

// A review has a thread of its own; the events of that thread, its prompt included, are in this one, too.
TEST(RolloutReader, PromptOfReviewIsNobodysPrompt) {
  const std::string child = R"([{"type":"text","text":"review it"}])";
  const std::string outcome = prompt("<user_action>the review</user_action>");
  const std::vector<std::string> legacy = {event("entered_review_mode"),
                                           event("task_started"),
                                           told("review it"),
                                           told("review it"),
                                           outcome,
                                           event("exited_review_mode"),
                                           answer("a")};
  const std::vector<std::string> items = {event("task_started"),
                                          item_event("EnteredReviewMode"),
                                          item_event("UserMessage", child),
                                          outcome,
                                          item_event("ExitedReviewMode"),
                                          answer("a")};
  for (const auto& review : {legacy, items}) {
    EXPECT_EQ(texts(read(review)), "");
    auto next = review;
    next.push_back(told("lost"));
    EXPECT_EQ(texts(read(next)), "lost;");
    // Killed, with or without a note of it.
    const std::vector<std::string> killed(review.begin(), review.begin() + 3);
    for (const std::string& end : {prompt("typed"), event("turn_aborted"), event("task_complete")}) {
      next = killed;
      next.insert(next.end(), {end, told("typed"), answer("a"), told("lost")});
      EXPECT_EQ(texts(read(next)), "typed;lost;") << end;
    }
  }
}

TEST(RolloutReader, PromptIsShownOnceForSeveralEvents) {
  const std::string other = item_event("UserMessage", R"([{"type":"text","text":"lost"}])");
  EXPECT_EQ(texts(read({told("lost"), event("task_started"), told("lost")})), "lost;lost;");
  EXPECT_EQ(texts(read({prompt("lost"), told("lost"), other, answer("a"), prompt("lost"), other})), "lost;lost;");
  EXPECT_EQ(texts(read({told("lost"), other, answer("a"), other, told("lost"), answer("b")})), "lost;lost;");
}

TEST(RolloutReader, EventOfInsertedTextIsNoPrompt) {
  const std::string context = "<environment_context>x</environment_context>";
  EXPECT_EQ(texts(read({told(context), answer("a")})), "");
  EXPECT_EQ(texts(read({prompt("typed"), told(context), told("typed"), answer("a")})), "typed;");
}

TEST(RolloutReader, NewestOfManyPromptsWaitsForItsEvent) {
  std::vector<std::string> lines;
  for (int n = 0; n < 100; ++n) lines.push_back(prompt("<environment_context>" + std::to_string(n)));
  lines.insert(lines.end(), {prompt("typed"), told("typed")});
  EXPECT_EQ(texts(read(lines)), "typed;");
}

TEST(RolloutReader, PicturesOfLostPromptAreKept) {
  const std::string url = "data:image/png;base64,AAAA";
  const std::string both =
      event("user_message", R"(,"message":"look","images":[")" + url + R"("],"local_images":["/tmp/a.png"])");
  const std::string parts =
      item_event("UserMessage", R"([{"type":"text","text":"look"},{"type":"image","image_url":")" + url +
                                    R"("},{"type":"local_image","path":"/tmp/a.png"}])");
  for (const std::string& one : {both, parts}) {
    const auto messages = read({one, answer("a")});
    ASSERT_EQ(messages.size(), 2u) << one;
    const auto& blocks = messages[0].blocks;
    ASSERT_EQ(blocks.size(), 3u) << one;
    EXPECT_EQ(blocks[0].text, "look");
    EXPECT_EQ(blocks[1].kind, BlockKind::image);
    EXPECT_EQ(blocks[1].media_type, "image/png");
    EXPECT_EQ(blocks[1].bytes, 3u);
    EXPECT_EQ(blocks[2].kind, BlockKind::image);
    EXPECT_EQ(blocks[2].text, "/tmp/a.png");
    EXPECT_EQ(read({prompt("look"), one}).size(), 1u);
  }
  EXPECT_TRUE(read({event("user_message", R"(,"message":null)")}).empty());
}

// What was inserted has no event, so something waits most of the time.
TEST(RolloutReader, GoesOnBetweenPromptAndEvent) {
  const std::vector<std::string> lines = {event("entered_review_mode"),
                                          told("review it"),
                                          event("exited_review_mode"),
                                          prompt("<environment_context>x"),
                                          prompt("typed"),
                                          told("typed"),
                                          answer("a")};
  for (std::size_t cut = 0; cut <= lines.size(); ++cut) {
    Told told;
    RolloutReader first(told, "thread", false);
    first.begin_file({});
    for (std::size_t n = 0; n < cut; ++n) first.take({lines[n]});
    const auto state = first.rest();
    if (cut == lines.size()) break;  // the answer still grows
    ASSERT_TRUE(state) << cut;
    RolloutReader next(told, "thread", false);
    next.begin_file({});
    next.go_on(*state);
    for (std::size_t n = cut; n < lines.size(); ++n) next.take({lines[n]});
    next.finish();
    EXPECT_EQ(texts(told.messages), "typed;") << cut;
    EXPECT_EQ(told.messages.size(), 3u) << cut;
  }
}

}  // namespace
}  // namespace holdfast::inline v1::codex
