// The lines of `holdfast mcp`: the numbers of its errors, and requests that are cancelled.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>

#include "tests/cli/mcp_testing.h"

namespace holdfast::inline v1 {
namespace {

struct McpLines : Mcp {
  // Sends lines after the greeting, whose id is "g"; returns the answers, each as "NUMBER ID", in the order in which
  // they came, without that to the greeting.
  std::vector<std::string> faults_of(const std::string& lines) {
    put_file("lines", R"({"jsonrpc":"2.0","id":"g",)" + greeting() + "}\n" + lines);
    EXPECT_EQ(sh("$H mcp < $HOME/lines"), 0) << err;
    EXPECT_EQ(err, "");
    std::vector<std::string> faults;
    for (std::size_t from = 0, end = 0; (end = out.find('\n', from)) != std::string::npos; from = end + 1) {
      const JsonView answer(std::string_view(out).substr(from, end - from));
      if (answer.find("id").is_string("g")) continue;
      const JsonView error = answer.find("error");
      EXPECT_TRUE(answer.find("jsonrpc").is_string("2.0")) << answer.raw();
      EXPECT_NE(static_cast<bool>(error), static_cast<bool>(answer.find("result"))) << answer.raw();
      EXPECT_EQ(static_cast<bool>(error), !error.find("message").as_string().value_or("").empty()) << answer.raw();
      faults.push_back(std::string(error.find("code").raw()) + " " + std::string(answer.find("id").raw()));
    }
    return faults;
  }
  using Faults = std::vector<std::string>;
};

TEST_F(McpLines, WhatIsNotJsonIsAParseError) {
  for (const std::string line :
       {"{", "hello", R"({"jsonrpc":"2.0","id":1,"method":"ping")", R"({"id":1,})", "\"\x01\""})
    EXPECT_EQ(faults_of(line + "\n"), Faults{"-32700 null"}) << line;
  EXPECT_EQ(faults_of("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\xff\"}\n"), Faults{"-32700 7"}) << "not UTF-8";
}

TEST_F(McpLines, WhatIsNoRequestIsInvalid) {
  for (const std::string line : {"5", "\"ping\"", "null", "[]", R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])"})
    EXPECT_EQ(faults_of(line + "\n"), Faults{"-32600 null"}) << line;
  EXPECT_EQ(faults_of(R"({"id":1,"method":"ping"})"
                      "\n"),
            Faults{"-32600 1"});
  EXPECT_EQ(faults_of(R"({"jsonrpc":"1.0","id":1,"method":"ping"})"
                      "\n"),
            Faults{"-32600 1"});
  EXPECT_EQ(faults_of(R"({"jsonrpc":"2.0","id":"x","method":5})"
                      "\n"),
            Faults{"-32600 \"x\""});
  EXPECT_EQ(faults_of(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[1]})"
                      "\n"),
            Faults{"-32600 1"});
  // An id that nobody may use is not repeated.
  for (const std::string id : {"{}", "[1]", "true", "null"})
    EXPECT_EQ(faults_of(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"ping"})" + "\n"), Faults{"-32600 null"}) << id;
  const std::string long_line =
      R"({"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":")" + std::string(std::size_t{2} << 20, 'a') + "\"}}\n";
  EXPECT_EQ(faults_of(long_line), Faults{"-32600 3"}) << "longer than a line may be";
}

TEST_F(McpLines, UnknownMethodAndWrongParametersHaveTheirNumbers) {
  const auto request = [](const std::string& rest) { return R"({"jsonrpc":"2.0","id":1,)" + rest + "}\n"; };
  for (const char* const method : {"tools/lists", "prompts/list", "no/such", "Ping"})
    EXPECT_EQ(faults_of(request(R"("method":")" + std::string(method) + "\"")), Faults{"-32601 1"}) << method;
  for (const std::string& wrong :
       {tool("nobody", "{}"), tool("list_sessions", "[]"), tool("list_sessions", "5"),
        std::string(R"("method":"tools/call","params":{})"), std::string(R"("method":"tools/call")"),
        std::string(R"("method":"initialize","params":{})"), std::string(R"("method":"resources/read","params":{})"),
        std::string(R"("method":"tools/list","params":{"cursor":"x"})"),
        std::string(R"("method":"resources/list","params":{"cursor":"x"})")})
    EXPECT_EQ(faults_of(request(wrong)), Faults{"-32602 1"}) << wrong;
}

TEST_F(McpLines, GoesOnAfterErrorsAndAnswersNoAnswers) {
  EXPECT_EQ(faults_of("{\n\n"
                      R"({"jsonrpc":"2.0","id":9,"result":{}})"
                      "\n"
                      R"({"jsonrpc":"2.0","method":"no/such"})"
                      "\n"
                      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}})"
                      "\n"
                      R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                      "\n"),
            (Faults{"-32700 null", " 1"}));
}

// While another program holds the lock of the notes, a tool that changes them waits: for half a minute, if nobody
// cancels it.
TEST_F(McpLines, CancelledCallEndsWithoutAnAnswer) {
  ASSERT_EQ(sh("$H tag ses-own mine"), 0) << err;
  const std::string lock = home + "/.local/share/holdfast/notes/.holdfast/lock";
  const int held = ::open(lock.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(held, 0) << lock;
  ASSERT_EQ(::flock(held, LOCK_EX | LOCK_NB), 0);
  put_file("greeting", R"({"jsonrpc":"2.0","id":"g",)" + greeting() + "}\n");
  put_file("call", R"({"jsonrpc":"2.0","id":1,)" + tool("star_session", R"({"session":"ses-login"})") + "}\n");
  put_file("cancel",
           R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"never mind"}})"
           "\n");
  put_file("next", R"({"jsonrpc":"2.0","id":2,)" + tool("list_sessions", "{}") + "}\n");
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(sh("mkfifo in; $H mcp --write < in > answers & P=$!; exec 3> in\n"
               "cat $HOME/greeting >&3; until_in '\"id\":\"g\"' answers || exit 90\n"
               "cat $HOME/call >&3\n"
               "for i in $(seq 1200); do\n"
               "  ls -l /proc/$P/fd | grep -q notes/.holdfast/lock && break; sleep 0.05; done\n"
               "ls -l /proc/$P/fd | grep -q notes/.holdfast/lock || exit 91  # it waits\n"
               "cat $HOME/cancel $HOME/next >&3; until_in '\"id\":2' answers || exit 92\n"
               "exec 3>&-; wait $P"),
            0)
      << err;
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20)) << "it ended at the cancellation";
  const std::string answered = text("desk/answers");
  EXPECT_FALSE(answered.contains("\"id\":1,")) << answered;
  EXPECT_TRUE(answered.contains("ses-login")) << "the server goes on: " << answered;
  ::close(held);
  EXPECT_EQ(sh("$H ls --starred"), 1) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
