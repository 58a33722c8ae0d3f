// What stats takes for one message: copies, and never two that only have the same id.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct EqualIds : CliHome {
  std::string created(const std::string& store) {
    EXPECT_EQ(sh("$H call session.create '{\"lease\":false}'" + store), 0) << err;
    return field({"id"});
  }
  void append(const std::string& store, const std::string& session, const std::string& message) {
    ASSERT_EQ(sh("$H call message.append '{\"session\":\"" + session + "\",\"message\":{" + message + "}}'" + store), 0)
        << err;
  }
  // Prompts, answers, calls, results, input tokens.
  std::string total(const std::string& store) {
    EXPECT_EQ(sh("$H stats --json" + store), 0) << err;
    std::string all;
    for (const std::string_view key : {"prompts", "answers", "tool_calls", "tool_results"})
      all += field({"total", key}) + " ";
    return all + field({"total", "usage", "input"});
  }
};

// Agents that number the messages of each session give all their sessions the same ids.
TEST_F(EqualIds, EqualIdsOfUnrelatedSessionsAreDifferentMessages) {
  for (const std::string layout : {"holdfast", "open-agent", "linggen", "maestro"}) {
    const std::string store = " --store " + layout + ":$HOME/" + layout;
    std::string last;
    for (const std::string n : {"1", "2", "3"}) {
      last = created(store);
      const std::string when = R"(,"timestamp":"2026-11-1)" + n + "T00:00:0";
      append(store, last, R"("id":"1","role":"user","text":"question )" + n + "\"" + when + "0Z\"");
      append(store, last,
             R"("id":"2","role":"assistant","response":"r","model":"m","usage":{"input":)" + n +
                 R"(00,"output":5},"text":"answer )" + n + "\"" + when + "1Z\"");
      if (layout == "maestro") continue;  // which holds no calls and has no forks
      append(store, last,
             R"("id":"3","role":"assistant","model":"m","usage":{"input":)" + n +
                 R"(,"output":5},"blocks":[{"type":"tool_call","id":"call_0","name":"t","input":{}}])" + when + "2Z\"");
      append(store, last,
             R"("id":"4","role":"tool","blocks":[{"type":"tool_result","id":"call_0","output":"x"}])" + when + "3Z\"");
    }
    EXPECT_EQ(total(store), layout == "maestro" ? "3 3 0 0 600" : "3 6 3 3 606") << layout << out;
    if (layout == "maestro") continue;
    // A copy adds nothing, and what it says later is its own, also under the same id.
    ASSERT_EQ(sh("$H call session.fork '{\"id\":\"" + last + "\"}'" + store), 0) << err;
    const std::string fork = field({"id"});
    EXPECT_EQ(total(store), "3 6 3 3 606") << layout << out;
    for (const std::string& session : {last, fork})
      append(store, session,
             R"("id":"5","role":"assistant","model":"m","usage":{"input":1000,"output":5},"text":"more",)"
             R"("timestamp":"2026-11-14T00:00:0)" +
                 std::string(session == fork ? "2" : "1") + "Z\"");
    EXPECT_EQ(total(store), "3 8 3 3 2606") << layout << out;
  }
}

// Some agents copy a history with new times. The id that an API gave is that of one response everywhere.
TEST_F(EqualIds, IdOfAnApiIsOneResponseWhateverItsTime) {
  const std::string store = " --store holdfast:$HOME/h";
  for (const std::string day : {"11", "12"}) {
    const std::string session = created(store), when = R"(,"timestamp":"2026-11-)" + day + "T00:00:01Z\"";
    append(store, session,
           R"("role":"assistant","response":"msg_01XFDUDYJgAACzvnptvVoYEL","model":"m","usage":{"input":7,"output":5},)"
           R"("blocks":[{"type":"tool_call","id":"toolu_01A09q90qw90lq917835lq9","name":"t","input":{}}])" +
               when);
    append(store, session,
           R"("role":"assistant","response":"functions.bash:0","model":"m","usage":{"input":1,"output":5},)"
           R"("blocks":[{"type":"tool_call","id":"functions.bash:0","name":"t","input":{}}])" +
               when);
  }
  EXPECT_EQ(total(store), "0 3 3 0 9") << out;
}

TEST_F(EqualIds, ClearReturnsTheNumberOfMessages) {
  for (const std::string layout : {"holdfast", "linggen"}) {
    const std::string store = " --store " + layout + ":$HOME/" + layout;
    const std::string session = created(store);
    for (const int count : {0, 1, 3, 2}) {
      for (int i = 0; i < count; ++i) append(store, session, R"("role":"user","text":"hello")");
      ASSERT_EQ(sh("$H call session.clear '{\"id\":\"" + session + "\"}'" + store), 0) << err;
      EXPECT_EQ(field({"cleared"}), std::to_string(count)) << layout;
    }
  }
}

}  // namespace
}  // namespace holdfast::inline v1
