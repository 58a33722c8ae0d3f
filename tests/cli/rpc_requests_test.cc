// Requests that a client of holdfast rpc would wait for: each is answered with its own id.
#include <set>

#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

struct RpcRequests : CliHome {
  static std::string message(const std::string& answer) {
    return JsonView(answer).find("error").find("message").as_string().value_or("");
  }
  static std::string id(const std::string& answer) { return std::string(JsonView(answer).find("id").raw()); }
};

TEST_F(RpcRequests, CancelWithIdIsAnswered) {
  RpcProcess door(home, {});
  door.send(R"({"jsonrpc":"2.0","id":9,"method":"$/cancel","params":{"id":12}})"
            "\n");
  EXPECT_EQ(door.receive(), R"({"jsonrpc":"2.0","id":9,"result":{"cancelled":false}})");
  ASSERT_EQ(sh("$H call session.create '{\"id\":\"ses-a\"}' && $H message append ses-a first"), 0) << err;
  door.send(R"({"jsonrpc":"2.0","id":"f","method":"session.follow","params":{"id":"ses-a"}})"
            "\n");
  EXPECT_TRUE(JsonView(door.receive()).find("method").is_string("item"));
  door.send(R"({"jsonrpc":"2.0","id":10,"method":"$/cancel","params":{"id":"f"}})"
            "\n");
  std::set<std::string> answered{id(door.receive()), id(door.receive())};
  EXPECT_EQ(answered, (std::set<std::string>{"10", "\"f\""}));
}

TEST_F(RpcRequests, TooLongRequestIsAnsweredWithItsId) {
  RpcProcess door(home, {});
  const std::string most = std::to_string((std::size_t{64} << 20) + (std::size_t{68} << 10));
  const std::string long_text(std::stoul(most), 'x');
  door.send(R"({"jsonrpc":"2.0","id":"long","method":"session.list","params":{"x":")" + long_text + "\"}}\n");
  std::string answer = door.receive();
  EXPECT_EQ(id(answer), "\"long\"") << answer;
  EXPECT_EQ(message(answer), "a request may have at most " + most + " bytes");
  // The id comes after the parameters, which contain another id.
  door.send(R"({"params":{"id":3,"x":"\\\")" + long_text + R"("},"jsonrpc":"2.0","method":"session.list","id":7})" +
            "\n");
  EXPECT_EQ(id(door.receive()), "7");
  door.send("[" + long_text + "]\n");
  EXPECT_EQ(id(door.receive()), "null");
  EXPECT_TRUE(JsonView(door.ask("session.list")).find("result"));
}

TEST_F(RpcRequests, TooDeepRequestIsAnsweredWithItsId) {
  const std::string deep = std::string(2000, '[') + std::string(2000, ']');
  RpcProcess door(home, {});
  door.send(R"({"jsonrpc":"2.0","method":"session.list","params":{"x":)" + deep + R"(},"id":5})" + "\n");
  const std::string answer = door.receive();
  EXPECT_EQ(id(answer), "5") << answer;
  EXPECT_TRUE(message(answer).contains("at most 1024 levels deep")) << answer;
  // The same in holdfast mcp.
  std::ofstream(home + "/requests") << R"({"jsonrpc":"2.0","id":6,"method":"ping","params":{"x":)" << deep << "}}\n"
                                    << R"({"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":")"
                                    << std::string(2 << 20, 'x') << "\"}}\n";
  ASSERT_EQ(sh("$H mcp < $HOME/requests"), 0) << err;
  EXPECT_TRUE(out.contains(R"("id":6,"error")") && out.contains("at most 1024 levels deep")) << out;
  EXPECT_TRUE(out.contains(R"("id":7,"error")") && out.contains("at most 1048576 bytes")) << out;
}

TEST_F(RpcRequests, HelloReturnsTheSupportedVersion) {
  RpcProcess door(home, {});
  const std::string answer = door.ask("hello", R"({"api_version":99,"client":"of the future"})");
  EXPECT_EQ(JsonView(answer).find("result").find("api_version").as_int64(), 1) << answer;
  ASSERT_EQ(sh("$H call hello '{\"api_version\":99}'"), 0) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
