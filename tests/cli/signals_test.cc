// Signals that end a real process in the middle of a session (L06).
#include <stdlib.h>
#include <string.h>

#include <filesystem>

#include "base/paths_testing.h"
#include "crash/disk/sim_testing.h"
#include "disk/real_testing.h"
#include "disk/staged.h"
#include "rules/workflow/session_start.h"
#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

std::shared_ptr<Store> lopen_project(const std::string& path) {
  std::filesystem::create_directories(path + "/.git");  // makes it a project
  StoreOptions options;
  options.layout = "lopen";
  options.roots[""] = path;
  options.write = options.create = true;
  return must(Store::open({}, real_file_system(), options));
}

struct DoorOnLopen {
  explicit DoorOnLopen(const TemporaryDirectory& scratch)
      : process(scratch.path(), {"--store", "lopen:" + scratch.path("p")}) {}
  // Returns a member of the answer's result, or the error if there is none.
  std::string ask(const std::string& method, const std::string& params, std::string_view member) {
    const std::string answer = process.ask(method, params);
    const JsonView value = JsonView(answer).find("result").find(member);
    return value ? value.as_string().value_or(std::string(value.raw())) : answer;
  }
  RpcProcess process;
};

class Signals : public testing::TestWithParam<int> {};

TEST_P(Signals, L06_PendingSavesAreWrittenBeforeExit) {
  const TemporaryDirectory scratch;
  const std::string project = scratch.path("p");
  ASSERT_TRUE(lopen_project(project));
  RpcProcess door(scratch.path(), {"--store", "lopen:" + project});
  const std::string started = door.ask("session.start", R"({"module":"auth"})");
  const std::string id = JsonView(started).find("result").find("id").as_string().value_or(started);
  ASSERT_TRUE(
      JsonView(door.ask("workflow.advance", R"({"session":")" + id + R"(","trigger":"SpecApproved"})")).find("result"));
  // One write, so that the process has all of them when it answers the first, and is busy with the rest.
  constexpr int kSaves = 40;
  std::string lines;
  for (int n = 0; n < kSaves; ++n)
    lines += door.request("metrics.record", R"({"session":")" + id + R"(","input_tokens":1})");
  door.send(lines);
  int saved = 0;
  for (std::string answer = door.receive(); !answer.empty(); answer = door.receive()) {
    EXPECT_TRUE(JsonView(answer).find("result")) << answer;
    if (++saved == 1) {
      EXPECT_EQ(::kill(door.pid(), GetParam()), 0);
    }
  }
  EXPECT_EQ(saved, kSaves);
  EXPECT_EQ(door.wait(), 130);
  const auto directory = must(real_file_system().open_directory(scratch.path(), false));
  const std::string error = must(read_whole(*directory, "rpc.err"));
  EXPECT_TRUE(JsonView(error).find("error").find("code").is_string("cancelled")) << error;

  const auto store = lopen_project(project);
  const WorkflowView view = must(get_workflow({}, *store, id));
  EXPECT_EQ(view.step, WorkflowStep::determine_dependencies);
  EXPECT_EQ(JsonView(view.metrics).find("iteration_count").as_int64(), kSaves);
  // Closed in order, not dead: the session is active, and the next start resumes it.
  EXPECT_EQ(must(store->get({}, id)).status, Status::active);
  const StartedSession again = must(start_session({}, *store, {.module = "auth"}));
  EXPECT_TRUE(again.resumed);
  EXPECT_EQ(again.workflow.id, id);
  EXPECT_TRUE(again.findings.empty());
}

// The same for other saves: most programs save messages.
TEST_P(Signals, PendingMessagesAndEntriesAreWritten) {
  const TemporaryDirectory scratch;
  RpcProcess door(scratch.path(), {});
  ASSERT_TRUE(JsonView(door.ask("session.create", R"({"id":"ses-1"})")).find("result"));
  constexpr int kSaves = 40;  // of each
  std::string lines;
  for (int n = 0; n < kSaves; ++n) {
    lines += door.request("message.append", R"({"session":"ses-1","text":"one more"})");
    lines += door.request("entry.append", R"({"project":"p","session":"s","entries":[{}]})");
  }
  door.send(lines);
  int saved = 0;
  for (std::string answer = door.receive(); !answer.empty(); answer = door.receive()) {
    EXPECT_TRUE(JsonView(answer).find("result")) << answer;
    if (++saved == 1) {
      EXPECT_EQ(::kill(door.pid(), GetParam()), 0);
    }
  }
  EXPECT_EQ(saved, 2 * kSaves);
  EXPECT_EQ(door.wait(), 130);
  RpcProcess next(scratch.path(), {});
  const std::string listed = next.ask("message.list", R"({"session":"ses-1","limit":1})");
  EXPECT_EQ(JsonView(listed).find("result").find("total").as_int64(), kSaves) << listed;
}

// Decision 17 for lopen: its own file says active, and lists say interrupted.
TEST(KilledRpc, L06_LopenSessionIsInterruptedAndCanBeResumed) {
  const TemporaryDirectory scratch;
  const auto store = lopen_project(scratch.path("p"));
  const auto status = [&] { return must(store->list({})).sessions.at(0).status; };
  auto door = std::make_unique<DoorOnLopen>(scratch);
  const std::string id = door->ask("session.start", R"({"module":"auth"})", "id");
  EXPECT_EQ(status(), Status::running);
  DoorOnLopen other(scratch);
  const std::string busy = other.ask("session.start", R"({"module":"auth"})", "id");
  EXPECT_NE(busy.find(R"("code":"busy")"), std::string::npos) << busy;
  EXPECT_NE(busy.find("process " + std::to_string(door->process.pid())), std::string::npos) << busy;
  EXPECT_EQ(door->ask("session.start", R"({"module":"auth"})", "id"), id) << "its own";

  ASSERT_EQ(::kill(door->process.pid(), SIGKILL), 0);
  EXPECT_EQ(door->process.wait(), 1000 + SIGKILL);
  EXPECT_EQ(status(), Status::interrupted);
  EXPECT_FALSE(must(get_workflow({}, *store, id)).complete);
  EXPECT_EQ(other.ask("session.start", R"({"module":"auth"})", "resumed"), "true");
  EXPECT_EQ(status(), Status::running);
  for (const std::string trigger : {"SpecApproved", "DependenciesDetermined", "ComponentsIdentified"})
    other.ask("workflow.advance", R"({"session":")" + id + R"(","trigger":")" + trigger + "\"}", "session");
  EXPECT_EQ(other.ask("workflow.complete", R"({"session":")" + id + R"("})", "session"), id);
  EXPECT_EQ(status(), Status::complete) << "what is done belongs to nobody";
}

// A single command owns nothing: it continues the session of a dead door, but not that of a living one.
TEST(KilledRpc, L07_CommandResumesSessionOfDeadOwnerOnly) {
  const TemporaryDirectory scratch;
  const auto store = lopen_project(scratch.path("p"));
  const auto status = [&] { return must(store->list({})).sessions.at(0).status; };
  const auto start = [&] {
    const std::string command = "env -i HOLDFAST_LOCK_ORDER=abort HOME=" + scratch.path() + " " + paths::binary() +
                                " session start --module auth --json --store lopen:" + scratch.path("p") +
                                " >/dev/null 2>&1 </dev/null";
    const int code = ::system(command.c_str());
    return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
  };
  auto door = std::make_unique<DoorOnLopen>(scratch);
  door->ask("session.start", R"({"module":"auth"})", "id");
  EXPECT_EQ(start(), 6) << "busy";
  EXPECT_EQ(status(), Status::running);
  ASSERT_EQ(::kill(door->process.pid(), SIGKILL), 0);
  door->process.wait();
  ASSERT_EQ(status(), Status::interrupted);
  EXPECT_EQ(start(), 0);
  EXPECT_EQ(status(), Status::active);
  EXPECT_EQ(must(store->list({})).total, 1u) << "the same session";
}

TEST(KilledRpc, L07_FormerOwnerCannotSaveAfterTakeover) {
  const TemporaryDirectory scratch;
  const auto store = lopen_project(scratch.path("p"));
  DoorOnLopen first(scratch), second(scratch);
  const std::string id = first.ask("session.start", R"({"module":"auth"})", "id");
  const std::string its = R"({"id":")" + id + R"(")", save = R"({"session":")" + id + R"(","input_tokens":1})";
  EXPECT_NE(second.ask("session.resume", its + "}", "owner").find(R"("code":"busy")"), std::string::npos);
  EXPECT_EQ(second.ask("session.resume", its + R"(,"takeover":true})", "owner"), "this");
  EXPECT_NE(first.ask("metrics.record", save, "session").find(R"("code":"busy")"), std::string::npos);
  EXPECT_EQ(second.ask("metrics.record", save, "session"), id);
  EXPECT_NE(first.ask("session.resume", its + "}", "owner").find(R"("code":"busy")"), std::string::npos);
  EXPECT_EQ(first.ask("session.resume", its + R"(,"takeover":true})", "owner"), "this");
  EXPECT_EQ(first.ask("metrics.record", save, "session"), id);
  EXPECT_EQ(JsonView(must(get_workflow({}, *store, id)).metrics).find("iteration_count").as_int64(), 2);
}

struct WaitingForInput : CliHome {};

// 124: the signal ended the program; 137: only SIGKILL did.
TEST_F(WaitingForInput, SignalEndsTheCommand) {
  ASSERT_EQ(sh("mkfifo $HOME/fifo"), 0);
  for (const std::string signal : {"INT", "TERM", "HUP"}) {
    for (const std::string wait : {"call message.append - <>$HOME/fifo", "call message.append @$HOME/fifo",
                                   "import - <>$HOME/fifo", "credential set x --api-key - <>$HOME/fifo"}) {
      EXPECT_EQ(sh("timeout -k 20 -s " + signal + " 1 $H " + wait), 124) << signal << " " << wait << "\n" << err;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Signals, testing::Values(SIGTERM, SIGINT, SIGHUP),
                         [](const auto& each) { return std::string(::sigabbrev_np(each.param)); });

}  // namespace
}  // namespace holdfast::inline v1
