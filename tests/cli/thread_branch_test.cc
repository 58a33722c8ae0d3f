// A branch of a thread through rpc: found, or refused.
#include "tests/cli/rpc_process_testing.h"
#include "tests/cli/shell_testing.h"

namespace holdfast::inline v1 {
namespace {

struct ThreadBranch : Shell {
  ThreadBranch() : Shell("desk") {}

  // The texts, each in brackets.
  static std::string blocks_in(const std::string& answer) {
    std::string all;
    for (const JsonItem& message : JsonView(answer).find("result").find("messages").elements()) {
      for (const JsonItem& block : message.value.find("blocks").elements())
        all += "[" + block.value.find("text").as_string().value_or("") + "]";
    }
    return all;
  }
  static std::string text_in(const std::string& answer, std::initializer_list<std::string_view> path) {
    JsonView at(answer);
    for (const std::string_view name : path) at = at.find(name);
    return at.as_string().value_or(answer);
  }
};

TEST_F(ThreadBranch, UnknownBranchIsNotFound) {
  RpcProcess rpc(home, {"--store", "maestro:" + home + "/m"});
  const std::string made = rpc.ask("session.create", R"({"project":"/p"})");
  const std::string id = text_in(made, {"result", "id"});
  const std::string first =
      text_in(rpc.ask("message.append", R"({"session":")" + id + R"(","text":"one"})"), {"result", "id"});
  rpc.ask("message.append", R"({"session":")" + id + R"(","text":"two"})");
  const std::string threads = rpc.ask("thread.list");
  const std::string thread(
      JsonView(threads).find("result").find("threads").elements().begin()->value.find("id").as_string().value_or(
          threads));
  const auto list = [&](const std::string& branch) {
    return rpc.ask("message.list", R"({"thread":")" + thread + R"(","branch":")" + branch + "\"}");
  };
  const std::string unknown = list("no-such-message");
  EXPECT_TRUE(unknown.contains("not_found")) << unknown;
  EXPECT_TRUE(unknown.contains("has no message no-such-message")) << unknown;
  EXPECT_EQ(blocks_in(list("all")), "[one][two]");
  EXPECT_EQ(blocks_in(list(first)),
            blocks_in(rpc.ask("message.list", R"({"session":")" + id + R"(","branch":")" + first + "\"}")));
}

// As in the layouts that write every parent down: a message without one is no other branch.
TEST_F(ThreadBranch, MessageWithoutParentFollowsThePreviousOne) {
  for (const std::string layout : {"maestro", "holdfast", "open-agent"}) {
    SCOPED_TRACE(layout);
    const std::string at = layout + ":" + home + "/" + layout;
    ASSERT_EQ(sh("mkdir -p $HOME/" + layout + " && $H store create --store " + at), 0) << err;
    RpcProcess rpc(home, {"--store", at});
    const std::string id = text_in(rpc.ask("session.create", R"({"project":"/p"})"), {"result", "id"});
    const auto append = [&](const std::string& role, const std::string& text, const std::string& parent) {
      const std::string named = parent.empty() ? "" : R"(,"parent":")" + parent + "\"";
      return text_in(rpc.ask("message.append", R"({"session":")" + id + R"(","message":{"role":")" + role +
                                                   R"(","text":")" + text + "\"" + named + "}}"),
                     {"result", "id"});
    };
    const auto list = [&](const std::string& more = {}) {
      return blocks_in(rpc.ask("message.list", R"({"session":")" + id + "\"" + more + "}"));
    };
    append("user", "zero", "");
    const std::string one = append("user", "one", "");
    const std::string two = append("assistant", "two", one);
    append("user", "three", two);
    append("assistant", "four", "");
    EXPECT_EQ(list(), "[zero][one][two][three][four]");
    ASSERT_EQ(sh("$H show " + id + " --store " + at), 0) << err;
    EXPECT_TRUE(out.contains("one") && out.contains("four") && !err.contains("other branches")) << out << err;
    append("user", "instead", one);
    append("assistant", "five", "");
    EXPECT_EQ(list(), "[zero][one][instead][five]");
    EXPECT_EQ(list(R"(,"branch":"all")"), "[zero][one][two][three][four][instead][five]");
  }
}

// The offset that append returns in Linggen names a line, for a fork; a line does not say what it follows.
TEST_F(ThreadBranch, LinggenSaysWhatCanBeAParent) {
  RpcProcess rpc(home, {"--store", "linggen:" + home + "/l"});
  const std::string id = text_in(rpc.ask("session.create", R"({"project":"/p"})"), {"result", "id"});
  const auto append = [&](const std::string& more) {
    return rpc.ask("message.append", R"({"session":")" + id + R"(","message":{"role":"user","text":"x")" + more + "}}");
  };
  const std::string offset = text_in(append(""), {"result", "id"});
  const std::string refused = append(R"(,"parent":")" + offset + "\"");
  EXPECT_TRUE(refused.contains("has no message " + offset + "; only a message that was given an id can be a parent"))
      << refused;
  EXPECT_TRUE(JsonView(append(R"(,"id":"one")")).find("result"));
  EXPECT_TRUE(JsonView(append(R"(,"parent":"one")")).find("result"));
  // Otherwise the offset would be accepted as a parent, and mean another message.
  EXPECT_TRUE(append(R"(,"id":")" + offset + "\"").contains("already has a message " + offset));
  EXPECT_TRUE(JsonView(append(R"(,"id":"12345678")")).find("result")) << "no line is there";
  EXPECT_TRUE(append(R"(,"id":"12345678")").contains("already has a message"));
}

// A fork ends with the message that is named by its id, with all its lines, or by its offset.
TEST_F(ThreadBranch, LinggenForksFromIdsAndOffsets) {
  RpcProcess rpc(home, {"--store", "linggen:" + home + "/l"});
  const std::string id = text_in(rpc.ask("session.create", R"({"project":"/p"})"), {"result", "id"});
  const auto append = [&](const std::string& message) {
    return text_in(rpc.ask("message.append", R"({"session":")" + id + R"(","message":)" + message + "}"),
                   {"result", "id"});
  };
  const std::string zero = append(R"({"role":"user","text":"zero"})");
  append(R"({"role":"user","text":"one","id":"m1"})");
  append(R"({"role":"assistant","id":"m2","blocks":[{"type":"text","text":"two"},)"
         R"({"type":"tool_call","id":"c","name":"t","input":{}},{"type":"text","text":"more"}]})");
  append(R"({"role":"user","text":"three"})");
  const auto forked = [&](const std::string& message) {
    const std::string answer = rpc.ask("session.fork", R"({"id":")" + id + R"(","message":")" + message + "\"}");
    if (JsonView(answer).find("error")) return answer;
    const std::string made = text_in(answer, {"result", "id"});
    return blocks_in(rpc.ask("message.list", R"({"session":")" + made + "\"}"));
  };
  EXPECT_EQ(forked(zero), "[zero]");
  EXPECT_EQ(forked("m1"), "[zero][one]");
  const std::string with_call = forked("m2");
  EXPECT_TRUE(with_call.starts_with("[zero][one][two]") && with_call.contains("[more]")) << with_call;
  EXPECT_FALSE(with_call.contains("three")) << with_call;
  for (const std::string nobody : {"m9", "1"})
    EXPECT_TRUE(forked(nobody).contains("has no message " + nobody)) << forked(nobody);
}

}  // namespace
}  // namespace holdfast::inline v1
