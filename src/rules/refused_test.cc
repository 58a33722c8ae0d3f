// Every call of a change fails once, or permanently: a refused change has changed nothing visible, and an
// acknowledged one is there (I-11, I-17).
#include <algorithm>
#include <cerrno>
#include <set>

#include "rules/upkeep/summary.h"
#include "store/crash_testing.h"
#include "store/said_testing.h"
#include "store/session_header.h"
#include "store/session_trash.h"

namespace holdfast::inline v1 {
namespace {

// Fails the n-th of the calls that can fail in this way; or all calls from there on.
class Fails final : public SimObserver {
 public:
  Fails(int error, int number, bool for_good) : error_(error), left_(number), for_good_(for_good) {}
  Injection before(const SimCall& call) override {
    const bool sync = call.kind == SimCallKind::sync || call.kind == SimCallKind::sync_directory;
    if (sync != (error_ == EIO)) return {};
    const std::scoped_lock guard(mutex_);
    if (left_-- > 0) return {};
    if (fired && !for_good_) return {};
    fired = true;
    return {Injection::Kind::fail, error_};
  }
  bool fired = false;

 private:
  const int error_;
  std::mutex mutex_;  // indexes are written in the background
  int left_;
  const bool for_good_;
};

std::string sessions_of(Store& store) {
  std::set<std::string> all;
  for (const Session& row : must(store.list({}, {})).sessions) {
    const Transcript transcript = must(store.read({}, row.id, {.branch = "all"}));
    const Session& session = transcript.session;
    std::string one = session.title + "|" + session.summary + "|" + std::string(status_name(session.status)) + "|" +
                      session.project + "|";
    for (const Message& message : transcript.messages) one += " " + message.text();
    all.insert(one);
  }
  std::string seen;
  for (const std::string& one : all) seen += one + "\n";
  for (const TrashedSession& one : must(trashed_sessions({}, store))) seen += "trash: " + one.title + "\n";
  return seen;
}

struct Refused : testing::TestWithParam<std::string> {
  std::string id, leaf;

  void prepare(Store& store) {
    const bool titles = GetParam() != "maestro";
    id = must(store.create({}, {.project = "/p", .title = titles ? "one" : ""}));
    auto writer = must(store.write({}, id));
    leaf = must(writer->append({}, said("a"))).id;
    must(writer->append({}, said("b")));
    must(writer->close({}));
    if (titles) must(store.update({}, id, {.title = "changed"}));
  }

  using Happen = std::function<Result<void>(Store&)>;
  void refused_or_done(const Happen& happen, const Happen& before_it = {}) {
    const auto begin = [&](SimFileSystem& disk) {
      StorePtr store = open_on(disk, GetParam());
      prepare(*store);
      if (before_it) must(before_it(*store));
      store.reset();
      disk.sync_all();
      return open_on(disk, GetParam());
    };
    std::string before, after;
    {
      SimFileSystem disk;
      StorePtr store = begin(disk);
      before = sessions_of(*store);
      const auto done = happen(*store);
      after = sessions_of(*store);
      if (!done && done.error().code == Code::unsupported) {  // not every layout supports everything
        EXPECT_EQ(before, after);
        return;
      }
      must(done);
      ASSERT_NE(before, after);
    }
    int refused = 0;
    for (const int error : {EACCES, ENOSPC, EIO}) {
      for (const bool for_good : {false, true}) {
        bool fired = true;
        for (int number = 0; fired && number < 200; ++number) {
          SimFileSystem disk;
          StorePtr store = begin(disk);
          Fails fails(error, number, for_good);
          disk.set_observer(&fails);
          const auto done = happen(*store);
          disk.set_observer(nullptr);
          fired = fails.fired;
          store.reset();
          const std::string seen = sessions_of(*open_on(disk, GetParam()));
          const std::string where =
              std::to_string(number) + " errno " + std::to_string(error) + (for_good ? " for good" : "");
          if (done) {
            EXPECT_EQ(seen, after) << "call " << where << ": acknowledged";
            continue;
          }
          if (done.error().code == Code::durability_unknown || done.error().code == Code::unfinished) continue;
          ++refused;
          EXPECT_EQ(seen, before) << "call " << where << ": " << done.error().text();
        }
      }
    }
    EXPECT_GT(refused, 0);
  }
};

TEST_P(Refused, UpdateChangesNothing) {
  refused_or_done([&](Store& store) { return store.update({}, id, {.title = "GHOST", .leaf = leaf}); });
}

TEST_P(Refused, EndChangesNothing) {
  refused_or_done([&](Store& store) -> Result<void> {
    HOLDFAST_TRY(end_session({}, store, id, {.status = Status::failed}));
    return {};
  });
}

TEST_P(Refused, DeleteChangesNothing) {
  refused_or_done([&](Store& store) { return store.remove({}, id); });
}

TEST_P(Refused, TrashChangesNothing) {
  refused_or_done([&](Store& store) { return trash_session({}, store, id); });
}

TEST_P(Refused, RestoreChangesNothing) {
  refused_or_done(
      [&](Store& store) -> Result<void> {
        HOLDFAST_TRY(restore_session({}, store, id));
        return {};
      },
      [&](Store& store) { return trash_session({}, store, id); });
}

TEST_P(Refused, CreateChangesNothing) {
  refused_or_done([&](Store& store) -> Result<void> {
    HOLDFAST_TRY(store.create({}, {.project = "/p", .title = GetParam() == "maestro" ? "" : "GHOST"}));
    return {};
  });
}

TEST_P(Refused, ForkChangesNothing) {
  refused_or_done([&](Store& store) -> Result<void> {
    HOLDFAST_TRY(store.fork({}, id, {.title = "GHOST"}));
    return {};
  });
}

TEST_P(Refused, MoveChangesNothing) {
  refused_or_done([&](Store& store) { return move_to_project({}, store, id, "/other"); });
}

INSTANTIATE_TEST_SUITE_P(Layouts, Refused, testing::Values("holdfast", "open-agent", "linggen", "maestro"),
                         [](const auto& layout) { return layout.param.substr(0, 4); });

// The process dies anywhere in a move: the session is in one of the projects, complete.
TEST(MoveCrash, SessionIsCompleteInExactlyOneProject) {
  std::string id;
  SimFileSystem disk;
  StorePtr store = open_on(disk, "open-agent");
  id = must(store->create({}, {.project = "/p", .title = "one"}));
  auto writer = must(store->write({}, id));
  must(writer->append({}, said("a")));
  must(writer->close({}));
  must(store->update({}, id, {.title = "changed"}));
  disk.sync_all();
  const CrashEvent event{"open-agent", {}, {}, [&](Store& crashed) -> std::string {
                           const auto list = must(crashed.list({}, {}));
                           EXPECT_EQ(list.sessions.size(), 1u);
                           const Transcript transcript = must(crashed.read({}, id, {}));
                           std::string seen = transcript.session.title;
                           for (const Message& message : transcript.messages) seen += " " + message.text();
                           must(must(crashed.write({}, id))->append({}, said("later")));
                           must(move_to_project({}, crashed, id, "/other"));
                           EXPECT_EQ(must(crashed.get({}, id)).project, "/other");
                           EXPECT_EQ(must(crashed.read({}, id, {})).messages.size(), 2u);
                           return seen;
                         }};
  CrashWatch crashes(disk, event, "changed a");
  disk.set_observer(&crashes);
  must(move_to_project({}, *store, id, "/other"));
  disk.set_observer(nullptr);
  crashes.look(true);
  store.reset();
  crashes.judge("changed a");
}

}  // namespace
}  // namespace holdfast::inline v1
