// What belongs together is stored whole or not at all (I-11), where folders cannot be searched and files may not grow.
#include "tests/cli/refused_testing.h"

namespace holdfast::inline v1 {
namespace {

struct AllOrNothing : OrdinaryUser {
  std::string log_of(const std::string& layout) {
    EXPECT_EQ(sh("cat $(find $HOME/" + layout + " -name '*.jsonl' -not -path '*/.*')"), 0) << err;
    return out;
  }
  // Runs `line` with files limited to this many bytes; ulimit in sh counts blocks of 512.
  int within(std::size_t bytes, const std::string& line) {
    return user("trap '' XFSZ; ulimit -f " + std::to_string((bytes + 511) / 512) + "\n" + line);
  }
};

TEST_F(AllOrNothing, UnreadableFolderFailsRunAndPlan) {
  for (const std::string layout : {"holdfast", "linggen"}) {
    const std::string where = store_of(layout);
    const std::string at = "projects/*/";
    const std::string project = "\"project\":\"" + home + "/desk\"";
    const std::string run = "timeout 20 $H call run.start '{" + project + ",\"agent\":\"a\"}' $S";
    const std::string plan = layout == "linggen"
                                 ? "timeout 20 $H call plan.put '{\"summary\":\"a\",\"items\":[\"b\"]}' $S"
                                 : "timeout 20 $H call plan.put '{" + project + ",\"summary\":\"a\",\"items\":[]}' $S";
    ASSERT_EQ(user(where + run + " && " + plan), 0) << layout << err;
    const std::string runs = "$HOME/" + layout + "/" + at + "runs";
    const std::string plans = "$HOME/" + layout + (layout == "linggen" ? "/plans" : "/" + at + "plans");
    for (const char* mode : {"000", "444", "666"}) {
      ASSERT_EQ(user("chmod " + std::string(mode) + " " + runs + " " + plans), 0) << err;
      EXPECT_EQ(user(where + run), 5) << layout << mode << out << err;
      EXPECT_EQ(user(where + plan), 5) << layout << mode << out << err;
    }
    ASSERT_EQ(user("chmod 700 " + runs + " " + plans + "; for at in " + runs + " " + plans +
                   "; do mv $at $at.old && echo x >$at; done"),
              0)
        << err;
    for (const std::string& line : {run, plan}) {
      const int code = user(where + line);
      EXPECT_TRUE(code != 0 && code != 124) << layout << code << out << err;
    }
    ASSERT_EQ(user("for at in " + runs + " " + plans + "; do rm $at && mv $at.old $at; done"), 0) << err;
    EXPECT_EQ(user(where + run + " && " + plan), 0) << layout << err;
    EXPECT_TRUE(out.contains("\"a-2\"")) << layout << out;
  }
}

TEST_F(AllOrNothing, FailedCompactionHidesNothing) {
  for (const std::string layout : {"holdfast", "open-agent", "linggen"}) {
    const std::string where = store_of(layout);
    ASSERT_EQ(user(where + "$H session show @last $S"), 0) << err;
    const std::string shown = out, log = log_of(layout);
    ASSERT_TRUE(shown.contains("hello")) << shown;
    const std::string summary(6000, 'S');
    EXPECT_EQ(within(log.size() + 1024, where + "$H session compact @last --summary " + summary + " $S"), 5)
        << layout << out << err;
    EXPECT_TRUE(err.contains("File too large")) << err;
    EXPECT_EQ(user(where + "$H session show @last $S"), 0) << err;
    EXPECT_EQ(out, shown) << layout;
    EXPECT_EQ(log_of(layout), log) << layout;
    EXPECT_EQ(user(where + "$H session compact @last --summary " + summary + " $S && $H session show @last $S"), 0)
        << layout << err;
    EXPECT_TRUE(out.contains(summary)) << layout << out;
    EXPECT_EQ(user(where + "$H verify $S"), 0) << layout << out << err;
  }
}

TEST_F(AllOrNothing, FailedMessageOfSeveralLinesIsNotDuplicated) {
  for (const std::string layout : {"linggen", "open-agent", "holdfast"}) {
    const std::string where = store_of(layout);
    const std::string log = log_of(layout);
    std::ofstream(home + "/message")
        << R"({"session":"@last","message":{"role":"assistant","blocks":[{"type":"text","text":"one"},)"
        << R"({"type":"tool_call","id":"c1","name":"read","input":{"path":")" << std::string(900, 'x')
        << R"("}},{"type":"tool_call","id":"c2","name":"read",)"
        << R"("input":{"path":")" << std::string(6000, 'y') << R"("}}]}})";
    EXPECT_EQ(within(log.size() + 1024, where + "$H call message.append @$HOME/message $S"), 5) << layout << out << err;
    EXPECT_TRUE(err.contains("disk_full")) << layout << err;
    const std::string left = log_of(layout);
    if (layout != "open-agent") {
      EXPECT_EQ(left, log) << layout;
    } else {  // one line holds the message; after a short write, its beginning stays (docs/formats/log.md)
      ASSERT_TRUE(left.starts_with(log)) << left;
      EXPECT_FALSE(left.substr(log.size()).contains('\n')) << left;
    }
    EXPECT_EQ(user(where + "$H call message.append @$HOME/message $S && $H call message.list "
                           "'{\"session\":\"@last\"}' $S"),
              0)
        << layout << err;
    for (const std::string block : {"\"text\":\"one\"", "\"id\":\"c1\"", "\"id\":\"c2\""}) {
      ASSERT_NE(out.find(block), std::string::npos) << layout << block << out;
      EXPECT_EQ(out.find(block), out.rfind(block)) << layout << block << out;
    }
  }
}

TEST_F(AllOrNothing, FileSizeLimitIsDiskFull) {
  const std::string where = store_of("holdfast");
  std::ofstream(home + "/message") << R"({"session":"@last","text":")" << std::string(100000, 'x') << "\"}";
  EXPECT_EQ(user(where + "ulimit -f 16; exec $H call message.append @$HOME/message $S"), 5) << out << err;
  EXPECT_TRUE(err.contains("disk_full")) << err;
}

// M10: subscribers learn of a message that could not be written.
TEST_F(AllOrNothing, FailedMessageSendsEvent) {
  const std::string where = store_of("holdfast");
  std::ofstream(home + "/asked")
      << R"({"jsonrpc":"2.0","id":0,"method":"hello","params":{}})" << "\n"
      << R"({"jsonrpc":"2.0","id":1,"method":"events.subscribe","params":{}})" << "\n"
      << R"({"jsonrpc":"2.0","id":2,"method":"message.append","params":{"session":"@last","text":")"
      << std::string(100000, 'x') << "\"}}\n";
  user(where + "trap '' XFSZ; ulimit -f 16; exec $H rpc $S <$HOME/asked");
  EXPECT_TRUE(out.contains("\"disk_full\"")) << out << err;
  EXPECT_TRUE(out.contains("session:persistence_failed")) << out << err;
}

// L13: the error says where and why, also to the next process.
TEST_F(AllOrNothing, PausedWorkflowReportsTheSystemError) {
  ASSERT_EQ(user("mkdir -p .lopen docs/requirements/auth && $H session start --module auth"), 0) << err;
  EXPECT_EQ(user("trap '' XFSZ; ulimit -f 0; $H workflow pause @last --model gpt-5"), 5) << out << err;
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(user("$H workflow pause @last --model gpt-5"), 5) << out << err;
    EXPECT_TRUE(err.contains("is paused until it is resumed, because a save failed")) << err;
    EXPECT_FALSE(err.contains("a save failed: a save failed")) << err;
    EXPECT_TRUE(err.contains("OS Error: File too large (0x0000001b)")) << err;
    EXPECT_TRUE(err.contains("Path: " + home + "/desk")) << err;
  }
  EXPECT_EQ(user("$H session resume @last && $H workflow pause @last --model gpt-5"), 0) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
