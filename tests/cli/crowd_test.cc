// Many callers at once on one store: they wait for each other, and nobody is refused.
#include <set>

#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"
#include "tests/sanitized_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kCallers = kSanitized ? 40 : 200;

struct Crowd : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    where = "--store maestro:" + home + "/maestro";
    ASSERT_EQ(sh("$H call session.create '{\"id\":\"ses_a\",\"lease\":false}' " + where), 0) << err;
    ASSERT_EQ(sh("$H call session.create '{\"id\":\"ses_b\",\"lease\":false}' " + where), 0) << err;
  }
  void each_is_there_once() {
    std::multiset<std::string> found;
    for (const std::string session : {"ses_a", "ses_b"}) {
      ASSERT_EQ(sh("$H call message.list '{\"session\":\"" + session + "\",\"limit\":1000}' " + where), 0) << err;
      for (const JsonItem& message : JsonView(out).find("messages").elements())
        for (const JsonItem& block : message.value.find("blocks").elements())
          found.insert(block.value.find("text").as_string().value_or(""));
    }
    std::multiset<std::string> all;
    for (int i = 0; i < kCallers; ++i) all.insert("m" + std::to_string(i));
    EXPECT_EQ(found, all);
  }

  std::string where;
};

TEST_F(Crowd, ProcessesAtOnceAreAllServed) {
  ASSERT_EQ(sh("i=0; while [ $i -lt " + std::to_string(kCallers) +
               " ]; do s=ses_a; [ $((i % 2)) = 1 ] && s=ses_b\n"
               "{ $H call message.append '{\"session\":\"'$s'\",\"text\":\"m'$i'\"}' " +
               where + " >$HOME/answer.$i || echo refused; } & i=$((i + 1)); done; wait"),
            0)
      << err;
  EXPECT_EQ(out, "") << err;
  each_is_there_once();
}

TEST_F(Crowd, RequestsAtOnceAreAllServed) {
  {
    RpcProcess door(home, {"--store", "maestro:" + home + "/maestro"});
    std::string lines;
    for (int i = 0; i < kCallers; ++i)
      lines += door.request("message.append", R"({"session":"ses_)" + std::string(i % 2 == 1 ? "b" : "a") +
                                                  R"(","text":"m)" + std::to_string(i) + "\"}");
    door.send(lines);
    for (int i = 0; i < kCallers; ++i) {
      const std::string answer = door.receive();
      EXPECT_TRUE(JsonView(answer).find("result")) << answer;
    }
  }
  each_is_there_once();
}

}  // namespace
}  // namespace holdfast::inline v1
