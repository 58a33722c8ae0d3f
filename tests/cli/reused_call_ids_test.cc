// Agents use the id of a tool call again, or give none: each output stays with its call, wherever it is shown.
#include <map>

#include "tests/cli/handoff_home_testing.h"
#include "text/json_text.h"

namespace holdfast::inline v1 {
namespace {

struct ReusedCallIds : HandoffHome {
  // `id` is a member of the record with its comma; empty if there is none.
  static std::string call(const std::string& member, const std::string& word) {
    return R"({"type":"tool_use",)" + member + R"("name":"Bash","input":{"command":"cat )" + word + R"("}})";
  }
  static std::string output(const std::string& member, const std::string& text, const std::string& more = "") {
    return R"({"type":"tool_result",)" + member + R"("content":")" + text + "\"" + more + "}";
  }
  // Two answers; the second call fails.
  void put_successive(const std::string& call_id, const std::string& result_id) {
    put_session(record("u1", "", "user", "\"run both\"") +
                record("a1", "u1", "assistant", "[" + call(call_id, "A") + "]") +
                record("r1", "a1", "user", "[" + output(result_id, "CONTENT-A") + "]") +
                record("a2", "r1", "assistant", "[" + call(call_id, "B") + "]") +
                record("r2", "a2", "user", "[" + output(result_id, "DENIED-B", R"(,"is_error":true)") + "]") +
                answer("a3", "r2", "done"));
  }
  // Whether the words are in `text`, in this order.
  static testing::AssertionResult in_order(const std::string& text, const std::vector<std::string>& words) {
    std::size_t at = 0;
    for (const std::string& word : words) {
      at = text.find(word, at);
      if (at == std::string::npos) return testing::AssertionFailure() << word << " is missing or misplaced: " << text;
      at += word.size();
    }
    return testing::AssertionSuccess();
  }

  // The members of calls and results: one id for all, empty ids, no ids.
  const std::vector<std::pair<std::string, std::string>> ids = {
      {R"("id":"call_0",)", R"("tool_use_id":"call_0",)"}, {R"("id":"",)", R"("tool_use_id":"",)"}, {"", ""}};
};

TEST_F(ReusedCallIds, HandOffKeepsOutputsWithTheirCalls) {
  for (const auto& [call_id, result_id] : ids) {
    put_session(record("u1", "", "user", "\"run three\"") +
                record("a1", "u1", "assistant",
                       "[" + call(call_id, "A") + "," + call(call_id, "B") + "," + call(call_id, "C") + "]") +
                record("r1", "a1", "user",
                       "[" + output(result_id, "OUT-A") + "," + output(result_id, "OUT-B") + "," +
                           output(result_id, "OUT-C") + "]") +
                answer("a2", "r1", "done"));
    for (const std::string to : {"pi", "codex"}) {
      std::filesystem::remove_all(home + "/o");
      ASSERT_EQ(sh("$H handoff bbbb --to " + to + " --project $HOME/proj -o $HOME/o"), 0) << err;
      // The ids are unique now.
      ASSERT_EQ(sh("$H show @last --store " + to + ":$HOME/o"), 0) << err;
      EXPECT_TRUE(in_order(out, {"cat A", "OUT-A", "cat B", "OUT-B", "cat C", "OUT-C"})) << to << call_id;
      ASSERT_EQ(sh("$H export @last --store " + to + ":$HOME/o --format json"), 0) << err;
      const auto id_before = [&](const std::string& word) {
        const std::size_t place = out.rfind("\"id\":\"", out.find(word)) + 6;
        return out.substr(place, out.find('"', place) - place);
      };
      for (const std::string name : {"A", "B", "C"})
        EXPECT_EQ(id_before("cat " + name), id_before("OUT-" + name)) << to << call_id << out;
    }
  }
}

TEST_F(ReusedCallIds, EveryOutputIsShownWithItsCall) {
  for (const auto& [call_id, result_id] : ids) {
    put_successive(call_id, result_id);
    for (const std::string command :
         {"$H show bbbb", "$H show bbbb --at 3", "$H tail bbbb", "$H export bbbb --format html",
          "rm -f $HOME/s.html; $H share bbbb -o $HOME/s.html > $HOME/report && cat $HOME/s.html"}) {
      ASSERT_EQ(sh(command), 0) << command << err;
      EXPECT_TRUE(in_order(out, {"cat A", "CONTENT-A", "cat B", "DENIED-B"})) << command << call_id;
      EXPECT_EQ(out.find("CONTENT-A"), out.rfind("CONTENT-A")) << command << call_id << out;
      EXPECT_EQ(out.find("DENIED-B"), out.rfind("DENIED-B")) << command << call_id << out;
    }
  }
}

// A call that the person interrupted does not take the output of the next one.
TEST_F(ReusedCallIds, InterruptedCallHasNoOutput) {
  put_session(record("u1", "", "user", "\"run A\"") + record("a1", "u1", "assistant", "[" + call("", "A") + "]") +
              record("u2", "a1", "user", "\"rather B\"") + record("a2", "u2", "assistant", "[" + call("", "B") + "]") +
              record("r2", "a2", "user", "[" + output("", "OUT-B") + "," + output("", "AGAIN-B") + "]"));
  for (const std::string command : {"show", "export --format html"}) {
    ASSERT_EQ(sh("$H " + command + " bbbb"), 0) << err;
    EXPECT_TRUE(in_order(out, {"cat A", "no result", "cat B", "OUT-B", "AGAIN-B"})) << command;
  }
}

// In a trajectory, ids of calls are unique within a step.
TEST_F(ReusedCallIds, TrajectoryHasEveryCallWithItsOutput) {
  for (const auto& [call_id, result_id] : ids) {
    // One answer with two calls, then one with one.
    put_session(record("u1", "", "user", "\"run them\"") +
                record("a1", "u1", "assistant", "[" + call(call_id, "A") + "," + call(call_id, "B") + "]") +
                record("r1", "a1", "user", "[" + output(result_id, "OUT-A") + "," + output(result_id, "OUT-B") + "]") +
                record("a2", "r1", "assistant", "[" + call(call_id, "C") + "]") +
                record("r2", "a2", "user", "[" + output(result_id, "OUT-C") + "]"));
    ASSERT_EQ(sh("$H export bbbb --format atif > $HOME/t.json && cat $HOME/t.json"), 0) << err;
    std::map<std::string, std::string> outputs;  // of each command
    for (const JsonItem& step : JsonView(out).find("steps").elements()) {
      std::map<std::string, std::string> commands;  // by id
      for (const JsonItem& one : step.value.find("tool_calls").elements())
        EXPECT_TRUE(
            commands.emplace(json_text(one.value, "tool_call_id"), json_text(one.value.find("arguments"), "command"))
                .second)
            << out;
      for (const JsonItem& one : step.value.find("observation").find("results").elements())
        outputs[commands[json_text(one.value, "source_call_id")]] += json_text(one.value, "content");
    }
    const std::map<std::string, std::string> wanted = {{"cat A", "OUT-A"}, {"cat B", "OUT-B"}, {"cat C", "OUT-C"}};
    EXPECT_EQ(outputs, wanted) << out;
    std::filesystem::remove_all(home + "/other");
    ASSERT_EQ(sh("mkdir $HOME/other && HOME=$HOME/other $H import $HOME/t.json && HOME=$HOME/other $H show @last"), 0)
        << err;
    EXPECT_TRUE(in_order(out, {"cat A", "OUT-A", "cat B", "OUT-B", "cat C", "OUT-C"})) << out;
  }
}

TEST_F(ReusedCallIds, TrajectoryKeepsPicturesWithResults) {
  const std::string picture =
      R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}})";
  for (const auto& [call_id, result_id] : ids) {
    put_session(record("u1", "", "user", "\"look\"") +
                record("a1", "u1", "assistant", "[" + call(call_id, "A") + "," + call(call_id, "B") + "]") +
                record("r1", "a1", "user",
                       R"([{"type":"tool_result",)" + result_id + R"("content":[{"type":"text","text":"OUT-A"},)" +
                           picture + "]}," + output(result_id, "OUT-B") + "]") +
                answer("a2", "r1", "done"));
    for (const std::string command : {"$H export bbbb --format atif > $HOME/t.json && cat $HOME/t.json",
                                      "HOME=$HOME/other $H export @last --format atif"}) {
      ASSERT_EQ(sh(command), 0) << err;
      std::string call_of_a, call_of_picture;
      for (const JsonItem& step : JsonView(out).find("steps").elements()) {
        for (const JsonItem& one : step.value.find("observation").find("results").elements())
          if (json_text(one.value, "content") == "OUT-A") call_of_a = json_text(one.value, "source_call_id");
        for (const JsonItem& one : step.value.find("extra").find("media").elements())
          call_of_picture = json_text(one.value, "source_call_id");
      }
      EXPECT_FALSE(call_of_a.empty()) << out;
      EXPECT_EQ(call_of_picture, call_of_a) << out;
      std::filesystem::remove_all(home + "/other");
      ASSERT_EQ(sh("mkdir $HOME/other && HOME=$HOME/other $H import $HOME/t.json"), 0) << err;
    }
  }
}

}  // namespace
}  // namespace holdfast::inline v1
