#include "model/open_calls.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

Message typed() { return {.role = Role::user, .origin = Origin::typed}; }

TEST(OpenCalls, ResultsGoToTheEarliestOpenCallWithTheirId) {
  for (const std::string id : {"call_0", ""}) {
    OpenCalls<int> calls;
    for (const int call : {1, 2, 3}) calls.call(id, call);
    calls.call("other", 9);
    for (const int call : {1, 2, 3}) EXPECT_EQ(calls.result(id), call);
    EXPECT_EQ(calls.result(id), std::nullopt) << "each has its result";
    calls.call(id, 4);
    EXPECT_EQ(calls.result(id), 4);
    EXPECT_EQ(calls.result("other"), 9);
  }
}

TEST(OpenCalls, ResultsBeforeTheirCallHaveNone) {
  OpenCalls<int> calls;
  EXPECT_EQ(calls.result("a"), std::nullopt);
  EXPECT_FALSE(calls.has_call("a"));
  calls.call("a", 1);
  EXPECT_EQ(calls.results("a"), 1U);
  EXPECT_EQ(calls.result("a"), 1);
  EXPECT_TRUE(calls.has_call("a"));
  EXPECT_EQ(calls.results("a"), 2U);
}

TEST(OpenCalls, CallsAfterPromptReplaceInterruptedOnes) {
  OpenCalls<int> calls;
  calls.call("", 1);
  calls.call("late", 2);
  calls.begin(typed());
  calls.call("", 3);
  EXPECT_EQ(calls.result(""), 3);
  EXPECT_EQ(calls.result(""), std::nullopt);
  EXPECT_EQ(calls.result("late"), 2) << "a prompt alone closes nothing";
}

TEST(OpenCalls, CountsOpenCallsBefore) {
  OpenCalls<int> calls;
  for (const int call : {1, 4, 7}) calls.call("a", call);
  EXPECT_EQ(calls.open_before("a", 7), 2U);
  calls.result("a");
  EXPECT_EQ(calls.open_before("a", 1), std::nullopt);
  EXPECT_EQ(calls.open_before("a", 7), 1U);
  EXPECT_EQ(calls.open_before("b", 7), std::nullopt);
}

}  // namespace
}  // namespace holdfast::inline v1
