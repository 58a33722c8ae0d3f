// Answers that are sent item by item if the caller asks for it: over rpc, and as lines of JSON.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Items : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    std::filesystem::create_directories(home + "/.claude/projects/-p");
    std::ofstream(home + "/.claude/projects/-p/0abc-1.jsonl")
        << R"({"type":"user","message":{"role":"user","content":"why does it fail?"},"uuid":"a","parentUuid":null,"cwd":"/p"})"
        << "\n"
        << R"({"type":"user","message":{"role":"user","content":"it does not fail now"},"uuid":"b","parentUuid":"a","cwd":"/p"})"
        << "\n";
  }
};

TEST_F(Items, SearchStreamsHitsBeforeAnswer) {
  RpcProcess rpc(home, {});
  rpc.send(rpc.request("session.search", R"({"words":["fail"],"stream":true})"));
  std::vector<std::string> snippets;
  std::string line = rpc.receive();
  for (; JsonView(line).find("method").is_string("item"); line = rpc.receive())
    snippets.push_back(
        JsonView(line).find("params").find("item").find("hit").find("snippet").as_string().value_or(line));
  std::ranges::sort(snippets);
  EXPECT_EQ(snippets, (std::vector<std::string>{"it does not fail now", "why does it fail?"}));
  const JsonView result = JsonView(line).find("result");
  EXPECT_EQ(result.find("hits").raw(), "[]") << "they were told";
  EXPECT_EQ(result.find("total").as_int64(), 2);
}

TEST_F(Items, ShowStreamsMessagesOrText) {
  RpcProcess rpc(home, {});
  rpc.send(rpc.request("session.show", R"({"id":"0abc-1","stream":true})"));
  int messages = 0;
  std::string line = rpc.receive();
  for (; JsonView(line).find("method").is_string("item"); line = rpc.receive())
    messages += JsonView(line).find("params").find("item").find("message") ? 1 : 0;
  EXPECT_EQ(messages, 2);
  EXPECT_FALSE(JsonView(line).find("result").find("messages"));
  rpc.send(rpc.request("session.show", R"({"id":"0abc-1","stream":true,"format":"text"})"));
  const std::string item = rpc.receive();
  EXPECT_NE(JsonView(item).find("params").find("item").find("text").as_string().value_or("").find("why does it fail?"),
            std::string::npos);
  EXPECT_FALSE(JsonView(rpc.receive()).find("result").find("text"));
}

TEST_F(Items, StreamOptionPrintsJsonLines) {
  ASSERT_EQ(sh("$H search fail --json --stream"), 0) << out;
  EXPECT_EQ(std::ranges::count(out, '\n'), 3) << out;
  const std::string first = out.substr(0, out.find('\n'));
  EXPECT_TRUE(JsonView(first).find("hit")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
