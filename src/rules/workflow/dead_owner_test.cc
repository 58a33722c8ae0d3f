// An owner that dies, on every layout with sessions (decision 17): the session is shown
// as interrupted and nothing in it changes; a living owner keeps it (decision 14).
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "rules/workflow/session_start.h"
#include "store/processes_testing.h"
#include "store/session_owner.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

class DeadOwner : public testing::TestWithParam<std::string> {
 protected:
  std::shared_ptr<Store> open() const { return open_at(GetParam(), path_); }

  std::string make_session() const {
    if (GetParam() == "lopen") return must(start_session({}, *open(), {.module = "auth"})).workflow.id;
    if (GetParam() == "workflow") {
      fs::create_directories(path_ + "/.claude");
      std::ofstream(path_ + "/.claude/initiative.json") << R"({"name":"login","status":"in_progress"})";
      return "login";
    }
    return must(open()->create({}, {.project = "/p"}));
  }

  // Starts a process that takes the session and then waits until it is killed.
  pid_t owner_of(const std::string& id) const {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    const pid_t owner = start_process([&] {
      const auto store = open();
      const auto writer = store->write({}, id, {.lease = LeaseRequest::take, .owner_note = "the tests' own"});
      (void)!::write(ready[1], writer ? "x" : "", writer ? 1 : 0);
      if (writer) ::pause();
      return false;
    });
    ::close(ready[1]);
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1) << "it could not take the session";
    ::close(ready[0]);
    return owner;
  }
  static void kill_and_wait(pid_t process) {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }

  // What the agent's own program sees: everything except the side folder.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(path_)) {
      const std::string name = entry.path().string().substr(path_.size());
      if (!entry.is_regular_file() || name.find("/.holdfast/") != std::string::npos || name.starts_with("/.side/"))
        continue;
      std::ostringstream bytes;
      bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      all[name] = bytes.str();
    }
    return all;
  }
  static Status listed(Store& store) {
    const auto sessions = must(store.list({})).sessions;
    return sessions.size() == 1 ? sessions.front().status : Status::unknown;
  }

  const TemporaryDirectory scratch_;
  const std::string path_ = scratch_.path("s");
};

TEST_P(DeadOwner, SessionIsInterruptedButLiveOwnerKeepsIt) {
  const std::string id = make_session();
  const auto store = open();
  const Status before = listed(*store);
  const pid_t owner = owner_of(id);
  const auto bytes = files();
  EXPECT_EQ(listed(*store), Status::running);
  const auto refused = store->write({}, id, {.lease = LeaseRequest::take});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::busy);
  EXPECT_NE(refused.error().message.find("process " + std::to_string(owner)), std::string::npos)
      << refused.error().message;
  EXPECT_NE(refused.error().message.find("the tests' own"), std::string::npos) << refused.error().message;

  auto holders = must(lease_holders({}, *store));
  ASSERT_EQ(holders.size(), 1u);
  EXPECT_EQ(holders[0].name, "session-" + id);
  EXPECT_TRUE(holders[0].alive);
  EXPECT_EQ(holders[0].owner.pid, owner);

  kill_and_wait(owner);
  holders = must(lease_holders({}, *store));
  ASSERT_EQ(holders.size(), 1u);
  EXPECT_FALSE(holders[0].alive);
  EXPECT_EQ(holders[0].owner.pid, owner) << "the last one is still named";
  EXPECT_EQ(listed(*store), Status::interrupted);
  EXPECT_EQ(listed(*open()), Status::interrupted);
  EXPECT_EQ(must(store->get({}, id)).status, Status::interrupted);
  EXPECT_EQ(must(store->read({}, id)).session.status, Status::interrupted);
  EXPECT_EQ(files(), bytes) << "in its own files the session is as it was";

  auto heir = must(store->write({}, id, {.lease = LeaseRequest::take}));
  EXPECT_EQ(listed(*store), Status::running);
  must(heir->close({}));
  EXPECT_TRUE(must(lease_holders({}, *store)).empty());
  EXPECT_EQ(listed(*store), before);
}

// A caller that continues without owning the session can have a dead owner forgotten, but not a living one.
TEST_P(DeadOwner, OnlyDeadOwnerIsForgottenOnRequest) {
  const std::string id = make_session();
  const auto store = open();
  const Status before = listed(*store);
  must(forget_dead_owner({}, *store, id));  // there is none
  const pid_t owner = owner_of(id);
  EXPECT_EQ(forget_dead_owner({}, *store, id).error().code, Code::busy);
  EXPECT_EQ(listed(*store), Status::running);
  kill_and_wait(owner);
  ASSERT_EQ(listed(*store), Status::interrupted);
  must(forget_dead_owner({}, *store, id));
  EXPECT_EQ(listed(*store), before);
}

// Layouts whose sessions have steps.
class ReplacedOwner : public DeadOwner {};

TEST_P(ReplacedOwner, CannotSaveUntilClosed) {
  const std::string id = must(start_session({}, *open(), {.module = "auth"})).workflow.id;
  const auto first = open();
  const auto second = open();
  auto lost = must(first->write({}, id, {.lease = LeaseRequest::take}));
  must(save_workflow({}, *first, id, {.pause = true}));
  auto robber = must(second->write({}, id, {.lease = LeaseRequest::take_over}));
  const auto refused = save_workflow({}, *first, id, {.pause = true});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::busy);
  must(save_workflow({}, *second, id, {.pause = true}));
  must(lost->close({}));
  EXPECT_EQ(listed(*first), Status::running) << "the robber's lease stays";
  must(save_workflow({}, *first, id, {.pause = true}));  // like a caller that never owned it
}

INSTANTIATE_TEST_SUITE_P(Each, DeadOwner,
                         testing::Values("holdfast", "lopen", "open-agent", "linggen", "workflow", "maestro"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::erase(name, '-');
                           return name;
                         });
INSTANTIATE_TEST_SUITE_P(Each, ReplacedOwner, testing::Values("holdfast", "lopen"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace holdfast::inline v1
