// tail -f and session.follow: each message once, in order, at the cost of what is new.
#include <functional>
#include <memory>

#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"
#include "tests/cli/sessions_testing.h"
#include "tests/cli/tail_process_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kClaude = "11111111-0000-4000-8000-000000000001";
constexpr const char* kCodex = "0199b000-0000-7000-8000-0000000000c1";

class Follow : public CliHome {};

// Appends lines to a log of some MB; each line is a thousandth of the log.
void expect_cost_of_new_lines(const std::string& home, const std::string& id, const std::string& path,
                              const std::function<void(const std::string&)>& prompt) {
  ASSERT_GT(std::filesystem::file_size(path), 2U << 20);
  prompt("the last one");
  TailProcess tail(home, id, 1);
  ASSERT_EQ(tail.next(), "the last one");
  prompt("line 0");
  ASSERT_EQ(tail.next(), "line 0");
  const std::uint64_t before = tail.bytes_read();
  constexpr int kLines = 20;
  for (int i = 1; i <= kLines; ++i) {
    prompt("line " + std::to_string(i));
    ASSERT_EQ(tail.next(), "line " + std::to_string(i));
  }
  EXPECT_LT(tail.bytes_read() - before, std::uint64_t{kLines} * (256 << 10));
}

TEST_F(Follow, ReadsOnlyNewLinesOfClaudeSession) {
  ClaudeLog log(home, kClaude);
  for (int i = 0; i < 1500; ++i) log.turn();
  expect_cost_of_new_lines(home, kClaude, log.path, [&](const std::string& text) { log.prompt(text); });
}

TEST_F(Follow, ReadsOnlyNewLinesOfCodexSession) {
  CodexLog log(home, kCodex);
  for (int i = 0; i < 1500; ++i) log.turn();
  expect_cost_of_new_lines(home, kCodex, log.path, [&](const std::string& text) { log.prompt(text); });
}

TEST_F(Follow, ReadsOnlyNewLinesOfNativeSession) {
  const std::string id = create("\"long\"");
  RpcProcess rpc(home, {});
  const auto append = [&](const std::string& text) {
    const std::string answer =
        rpc.ask("message.append", R"({"session":")" + id + R"(","durability":"none","text":")" + text + "\"}");
    ASSERT_TRUE(JsonView(answer).find("result")) << answer;
  };
  for (int i = 0; i < 40; ++i) append(padding(60'000, i));
  ASSERT_EQ(sh("find $HOME/.local -name '*.jsonl' -size +1000k"), 0);
  std::string path = out.substr(0, out.find('\n'));
  expect_cost_of_new_lines(home, id, path, append);
}

// A line that is written in two parts is one message; each message is reported once, in order.
TEST_F(Follow, ReportsMessageWrittenInPartsOnce) {
  ClaudeLog log(home, kClaude);
  log.turn();
  log.prompt("begin");
  TailProcess tail(home, kClaude, 1);
  ASSERT_EQ(tail.next(), "begin");
  for (int i = 0; i < 30; ++i) {
    const std::string text = "part " + std::to_string(i);
    std::string before, after;
    {
      std::ifstream file(log.path);
      before.assign(std::istreambuf_iterator<char>(file), {});
    }
    ClaudeLog copy = log;
    copy.path = home + "/copy.jsonl";
    std::ofstream(copy.path).close();
    copy.prompt(text);
    log = copy;
    log.path = std::filesystem::path(home + "/.claude/projects/-desk/" + std::string(kClaude) + ".jsonl").string();
    {
      std::ifstream file(copy.path);
      after.assign(std::istreambuf_iterator<char>(file), {});
    }
    const std::size_t cut = static_cast<std::size_t>(i) * after.size() / 30;
    std::ofstream(log.path, std::ios::app) << after.substr(0, cut) << std::flush;
    std::ofstream(log.path, std::ios::app) << after.substr(cut) << std::flush;
    ASSERT_EQ(tail.next(), text);
  }
}

// After the file was replaced or cut, only new messages are reported, with a notice.
TEST_F(Follow, ReportsOnlyNewMessagesAfterRewrite) {
  ClaudeLog log(home, kClaude);
  for (int i = 0; i < 5; ++i) log.prompt("old " + std::to_string(i));
  TailProcess tail(home, kClaude, 1);
  ASSERT_EQ(tail.next(), "old 4");
  std::string bytes;
  {
    std::ifstream file(log.path);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  // Another file, without the third line, and with something new.
  std::string fewer;
  for (std::size_t at = 0, n = 0; at < bytes.size(); ++n) {
    const std::size_t end = bytes.find('\n', at) + 1;
    if (n != 2) fewer += bytes.substr(at, end - at);
    at = end;
  }
  const std::string path = log.path;
  std::ofstream(home + "/other.jsonl") << fewer;
  log.path = home + "/other.jsonl";
  log.prompt("new 1");
  std::filesystem::rename(home + "/other.jsonl", path);
  ASSERT_EQ(tail.next(), "new 1");
  log.path = path;
  log.prompt("new 2");
  ASSERT_EQ(tail.next(), "new 2");
  // Emptied, and written again.
  {
    std::ifstream file(path);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::ofstream(path, std::ios::trunc).close();
  std::ofstream(path, std::ios::app) << bytes;
  log.prompt("new 3");
  ASSERT_EQ(tail.next(), "new 3");
  EXPECT_NE(text("tail.err").find("the session was cut or rewritten"), std::string::npos) << text("tail.err");
}

TEST_F(Follow, StreamsOverRpcUntilCancelled) {
  ClaudeLog log(home, kClaude);
  log.prompt("first");
  RpcProcess rpc(home, {});
  const std::string request = rpc.request("session.follow", R"({"id":")" + std::string(kClaude) + R"(","last":1})");
  const std::string number = std::to_string(JsonView(request).find("id").as_int64().value_or(0));
  rpc.send(request);
  const auto item = [&] {
    const std::string line = rpc.receive();
    EXPECT_TRUE(JsonView(line).find("method").is_string("item")) << line;
    EXPECT_EQ(JsonView(line).find("params").find("id").raw(), number) << line;
    return std::string(JsonView(line).find("params").find("item").raw());
  };
  const std::string first = item();
  EXPECT_TRUE(JsonView(first).find("event").is_string("message")) << first;
  EXPECT_NE(first.find("\"first\""), std::string::npos) << first;
  // Other requests are served meanwhile, also for the same session.
  const std::string get = rpc.ask("session.get", R"({"id":")" + std::string(kClaude) + "\"}");
  EXPECT_TRUE(JsonView(get).find("result")) << get;
  log.prompt("second");
  EXPECT_NE(item().find("\"second\""), std::string::npos);
  rpc.send(R"({"jsonrpc":"2.0","method":"$/cancel","params":{"id":)" + number + "}}\n");
  const std::string end = rpc.receive();
  EXPECT_EQ(JsonView(end).find("id").raw(), number) << end;
  EXPECT_EQ(JsonView(end).find("error").find("code").as_int64(), -32800) << end;
}

// A message that a later record completes is the same message.
TEST_F(Follow, ReportsChangedMessage) {
  std::filesystem::create_directories(home + "/.claude/projects/-desk");
  CodexLog log(home, kCodex);
  log.prompt("question");
  RpcProcess rpc(home, {});
  rpc.send(rpc.request("session.follow", R"({"id":")" + std::string(kCodex) + R"(","last":1})"));
  EXPECT_NE(rpc.receive().find("question"), std::string::npos);
  const std::string head = R"({"timestamp":"2026-01-01T00:00:01.000Z","type":"response_item","payload":{)";
  std::ofstream(log.path, std::ios::app)
      << head << R"("type":"message","role":"assistant","content":[{"type":"output_text","text":"answer"}]}})" << "\n";
  const std::string said = rpc.receive();
  EXPECT_NE(said.find(R"("event":"message")"), std::string::npos) << said;
  std::ofstream(log.path, std::ios::app) << head
                                         << R"("type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}})"
                                         << "\n";
  const std::string changed = rpc.receive();
  EXPECT_NE(changed.find(R"("event":"changed")"), std::string::npos) << changed;
  EXPECT_NE(changed.find("\"answer\""), std::string::npos) << changed;
  EXPECT_NE(changed.find("\"c1\""), std::string::npos) << changed;
}

// fs.inotify.max_user_instances is shared by all programs of a user: following also works without an instance.
TEST_F(Follow, WorksWithoutInotify) {
  const std::string none = "unshare -Ur sh -c 'echo 0 > /proc/sys/user/max_inotify_instances && exec \"$@\"' - ";
  if (sh(none + "true") != 0) GTEST_SKIP() << "this machine has no user namespaces: " << err;
  const std::string id = create("\"short\"");
  ASSERT_EQ(sh("$H message append " + id + " first"), 0) << err;
  std::ofstream(home + "/params") << R"({"id":")" << id << R"("})";
  ASSERT_EQ(sh(none +
               "timeout 60 $H call session.follow @$HOME/params > $HOME/said 2> $HOME/why & follower=$!\n"
               "until_in first $HOME/said && $H message append " +
               id + " second && until_in second $HOME/said; found=$?; kill $follower; exit $found"),
            0)
      << text("why") << text("said");
}

// The folder of a session in the trash is gone, and the restored one is another.
TEST_F(Follow, ContinuesAfterRestoreAndEndsAfterRemoval) {
  for (const std::string layout : {"holdfast", "linggen", "open-agent"}) {
    const std::string store = " --store " + layout + ":$HOME/" + layout;
    ASSERT_EQ(sh("$H call session.create '{\"lease\":false}'" + store), 0) << err;
    const std::string id = field({"id"});
    ASSERT_EQ(sh("$H message append " + id + " first" + store), 0) << err;
    std::ofstream(home + "/params") << R"({"id":")" << id << R"("})";
    ASSERT_EQ(sh("timeout 100 $H call session.follow @$HOME/params" + store +
                 " > $HOME/said 2> $HOME/why & follower=$!\n"
                 "until_in first $HOME/said && $H rm " +
                 id + " --yes" + store + " && sleep 1 && $H restore " + id + store + " && $H message append " + id +
                 " second" + store + " && until_in second $HOME/said && $H rm " + id + " --yes" + store +
                 " || { kill $follower; exit 1; }\n"
                 "wait $follower"),
              3)
        << layout << err << text("why") << text("said");
    EXPECT_TRUE((text("why") + text("said")).contains("session " + id + " was removed while it was followed"))
        << layout;
    EXPECT_FALSE(text("said").contains("restarted")) << layout << text("said");
  }
}

TEST_F(Follow, CallPrintsOneItemPerLine) {
  const std::string id = create("\"short\"");
  ASSERT_EQ(sh("$H message append " + id + " --text hello"), 0) << err;
  // The command line prints one item per line, then the answer.
  ASSERT_EQ(sh("$H call session.follow '{\"id\":\"" + id + "\",\"follow\":false}'"), 0) << err;
  const std::string item = out.substr(0, out.find('\n'));
  EXPECT_TRUE(JsonView(item).find("event").is_string("message")) << out;
  EXPECT_NE(out.find("\"messages\":1,\"damage\":[]}\n"), std::string::npos) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
