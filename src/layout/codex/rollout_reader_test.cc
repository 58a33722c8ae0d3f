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

}  // namespace
}  // namespace holdfast::inline v1::codex
