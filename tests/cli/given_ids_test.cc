// Holdfast writes no damage of its own: ids that are taken or that nothing has are refused by every door, in every
// layout that it writes.
#include <vector>

#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

struct GivenIds : CliHome {
  const std::vector<std::string> layouts = {"holdfast", "open-agent", "linggen", "maestro"};

  int call(const std::string& method, const std::string& params) {
    std::ofstream(home + "/params") << params;
    return sh("$H call " + method + " @$HOME/params" + store);
  }
  void begin(const std::string& layout) {
    store = " --store " + layout + ":" + home + "/" + layout;
    ASSERT_EQ(call("session.create", R"({"project":"/p"})"), 0) << err;
    session = field({"id"});
  }
  std::string with_message(const std::string& message) const {
    return R"({"session":")" + session + R"(","message":)" + message + "}";
  }
  void expect_refusal(const std::string& code, const std::string& words) const {
    const std::string told = out + err;
    EXPECT_TRUE(told.contains(code) && told.contains(words)) << told;
  }
  void expect_messages(const std::string& texts) {
    EXPECT_EQ(sh("$H verify" + store), 0) << out << err;
    ASSERT_EQ(sh("$H message list " + session + " --branch all --json" + store), 0) << err;
    std::string all;
    for (const JsonItem& message : JsonView(out).find("messages").elements())
      for (const JsonItem& block : message.value.find("blocks").elements())
        all += block.value.find("text").as_string().value_or("?");
    EXPECT_EQ(all, texts);
  }

  std::string store, session;
};

TEST_F(GivenIds, CallRefusesTakenIdUnknownParentAndUnknownLeaf) {
  for (const std::string& layout : layouts) {
    SCOPED_TRACE(layout);
    begin(layout);
    ASSERT_EQ(call("message.append", with_message(R"({"id":"one","role":"user","text":"a"})")), 0) << err;
    EXPECT_EQ(call("message.append", with_message(R"({"id":"one","role":"user","text":"x"})")), 2);
    expect_refusal("already_exists", "message one");
    EXPECT_EQ(call("message.append", with_message(R"({"parent":"nowhere","role":"user","text":"x"})")), 2);
    expect_refusal("invalid_argument", "parent: session " + session + " has no message nowhere");
    EXPECT_EQ(call("session.update", R"({"id":")" + session + R"(","leaf":"nowhere"})"), 2);
    expect_refusal("invalid_argument", "leaf: session " + session + " has no message nowhere");
    ASSERT_EQ(call("message.append", with_message(R"({"parent":"one","role":"user","text":"b"})")), 0) << err;
    expect_messages("ab");
  }
}

TEST_F(GivenIds, RpcRefusesTakenIdUnknownParentAndUnknownLeaf) {
  for (const std::string& layout : layouts) {
    SCOPED_TRACE(layout);
    begin(layout);
    {
      RpcProcess rpc(home, {"--store", layout + ":" + home + "/" + layout});
      const auto answer = [&](const std::string& method, const std::string& params) {
        out = rpc.ask(method, params);
        err.clear();
        return static_cast<bool>(JsonView(out).find("result"));
      };
      ASSERT_TRUE(answer("message.append", with_message(R"({"id":"one","role":"user","text":"a"})"))) << out;
      EXPECT_FALSE(answer("message.append", with_message(R"({"id":"one","role":"user","text":"x"})")));
      expect_refusal("already_exists", "message one");
      EXPECT_FALSE(answer("message.append", with_message(R"({"parent":"nowhere","role":"user","text":"x"})")));
      expect_refusal("invalid_argument", "has no message nowhere");
      EXPECT_FALSE(answer("session.update", R"({"id":")" + session + R"(","leaf":"nowhere"})"));
      expect_refusal("invalid_argument", "has no message nowhere");
      ASSERT_TRUE(answer("message.append", with_message(R"({"role":"user","text":"b"})"))) << out;
    }
    expect_messages("ab");
  }
}

TEST_F(GivenIds, MessageAppendRefusesTakenIdAndUnknownParent) {
  for (const std::string& layout : layouts) {
    SCOPED_TRACE(layout);
    begin(layout);
    const auto append = [&](const std::string& message) {
      return sh("$H message append " + session + " --message '" + message + "'" + store);
    };
    ASSERT_EQ(append(R"({"id":"one","role":"user","text":"a"})"), 0) << err;
    EXPECT_EQ(append(R"({"id":"one","role":"user","text":"x"})"), 2);
    expect_refusal("", "message one");
    EXPECT_EQ(append(R"({"parent":"nowhere","role":"user","text":"x"})"), 2);
    expect_refusal("", "has no message nowhere");
    expect_messages("a");
  }
}

// Nobody typed it: it is an answer wherever answers are counted or searched.
TEST_F(GivenIds, AssistantMessageWithoutOriginIsAnswer) {
  for (const std::string& layout : layouts) {
    SCOPED_TRACE(layout);
    begin(layout);
    ASSERT_EQ(call("message.append", with_message(R"({"role":"user","text":"question"})")), 0) << err;
    ASSERT_EQ(call("message.append", with_message(R"({"role":"assistant","text":"certainly"})")), 0) << err;
    ASSERT_EQ(sh("$H stats --json" + store), 0) << err;
    EXPECT_EQ(field({"total", "answers"}) + " " + field({"total", "prompts"}), "1 1") << out;
    ASSERT_EQ(sh("$H ls --json" + store), 0) << err;
    EXPECT_TRUE(out.contains(R"("counts":{"user":1,"assistant":1,)")) << out;
    EXPECT_EQ(sh("$H search --in answers certainly --json" + store), 0) << err;
    EXPECT_EQ(field({"total"}), "1") << out;
    EXPECT_EQ(sh("$H search --in prompts certainly --json" + store), 1) << out;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
