#include "model/tally.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

Message answer(std::string id, std::string response, std::int64_t output, Origin origin = Origin::model) {
  Message message;
  message.id = std::move(id);
  message.response = std::move(response);
  message.role = Role::assistant;
  message.origin = origin;
  message.usage = Usage{.input = 1, .output = output};
  return message;
}

TEST(Tally, ResponseInSeveralRecordsCountsOnceWithLargestUsage) {
  Tally tally;
  tally.message(answer("a", "r", 3));
  tally.message(answer("b", "r", 7));
  tally.message(answer("c", "", 10));
  Session session;
  tally.finish(session);
  EXPECT_EQ(session.counts.assistant, 2);
  EXPECT_EQ(session.usage.output, 17);
}

TEST(Tally, CallsAndSummariesCountTokensButNotAnswers) {
  Tally tally;
  tally.message(answer("a", "r1", 3, Origin::tool));
  tally.message(answer("b", "r2", 4, Origin::summary));
  tally.message(answer("c", "r1", 5));  // an answer of the first response after all
  Session session;
  tally.finish(session);
  EXPECT_EQ(session.counts.assistant, 1);
  EXPECT_EQ(session.usage.output, 9);
}

TEST(Tally, ModelOfUnansweredPromptIsListed) {
  Tally tally;
  Message prompt;
  prompt.model = "m";
  prompt.blocks.push_back({.text = "hello"});
  tally.message(prompt);
  Session session;
  tally.finish(session);
  EXPECT_EQ(session.models, (std::vector<std::string>{"m"}));
  EXPECT_EQ(session.pending, Pending::answer);
  EXPECT_EQ(session.status, Status::interrupted);
}

}  // namespace
}  // namespace holdfast
