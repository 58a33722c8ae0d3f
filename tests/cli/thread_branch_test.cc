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

}  // namespace
}  // namespace holdfast::inline v1
