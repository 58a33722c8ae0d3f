// Signals that end a real process in the middle of a session (L06).
#include <string.h>

#include "disk/real_testing.h"
#include "disk/sim_testing.h"
#include "disk/staged.h"
#include "store/session_start.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

std::shared_ptr<Store> lopen_project(const std::string& path) {
  StoreOptions options;
  options.layout = "lopen";
  options.roots[""] = path;
  options.write = options.create = true;
  return must(Store::open({}, real_file_system(), options));
}

class Signals : public testing::TestWithParam<int> {};

TEST_P(Signals, L06_WhatWasGivenToSaveIsSavedAndTheExitSaysInterrupted) {
  const TemporaryDirectory scratch;
  const std::string project = scratch.path("p");
  ASSERT_TRUE(lopen_project(project));
  RpcProcess door(scratch.path(), {"--store", "lopen:" + project});
  const std::string started = door.ask("session.start", R"({"module":"auth"})");
  const std::string id = JsonView(started).find("result").find("id").as_string().value_or(started);
  ASSERT_TRUE(
      JsonView(door.ask("workflow.advance", R"({"session":")" + id + R"(","trigger":"SpecApproved"})")).find("result"));
  // One write, so that it has all of them when it answers the first; then it is in the midst of them.
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
  // Closed in order, not dead: the session is active, and the next start goes on with it.
  EXPECT_EQ(must(store->get({}, id)).status, Status::active);
  const StartedSession again = must(start_session({}, *store, {.module = "auth"}));
  EXPECT_TRUE(again.resumed);
  EXPECT_EQ(again.workflow.id, id);
  EXPECT_TRUE(again.findings.empty());
}

INSTANTIATE_TEST_SUITE_P(Each, Signals, testing::Values(SIGTERM, SIGINT, SIGHUP),
                         [](const auto& each) { return std::string(::sigabbrev_np(each.param)); });

}  // namespace
}  // namespace holdfast::inline v1
