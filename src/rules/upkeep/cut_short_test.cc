// A process is killed at any call while it removes, restores or clears: the next one completes the operation, or it
// never happened.
#include <holdfast/checksums.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>

#include "rules/upkeep/compaction.h"
#include "rules/upkeep/history.h"
#include "store/crash_testing.h"
#include "store/engine.h"
#include "store/session_trash.h"

namespace holdfast::inline v1 {
namespace {

// Keeps the disk as it is after each call.
struct Killed final : SimObserver {
  explicit Killed(SimFileSystem& files) : disk(files) { disk.set_observer(this); }
  ~Killed() override { disk.set_observer(nullptr); }
  void after(const SimCall&) override {
    const std::lock_guard guard(mutex);
    if (!over) left.push_back(disk.clone());
  }
  // The store may still be writing its index in a background thread: that is ignored.
  std::vector<std::unique_ptr<SimFileSystem>> states() {
    const std::lock_guard guard(mutex);
    over = true;
    return std::move(left);
  }
  SimFileSystem& disk;

 private:
  std::mutex mutex;
  bool over = false;
  std::vector<std::unique_ptr<SimFileSystem>> left;
};

std::string made(Store& store) {
  const std::string id = must(store.create({}, {.project = "/p", .title = "one"}));
  auto writer = must(store.write({}, id));
  must(writer->append({}, said_by_a_person("a")));
  must(writer->append({}, said_by_a_person("b")));
  must(writer->close({}));
  must(store.update({}, id, {.title = "renamed"}));
  return id;
}

std::string picture(Store& store, const std::string& id) {
  const auto transcript = store.read({}, id, {});
  if (!transcript) return transcript.error().text();
  std::string seen = transcript->session.title;
  for (const Message& message : transcript->messages) seen += " " + message.text();
  return seen;
}

void append(Store& store, const std::string& id, const std::string& text) {
  auto writer = must(store.write({}, id));
  must(writer->append({}, said_by_a_person(text)));
  must(writer->close({}));
}

struct CutShort : testing::TestWithParam<std::string> {
  SimFileSystem disk;
  StorePtr store = open_on(disk, GetParam());
};

TEST_P(CutShort, RemovalIsAllOrNothing) {
  const std::string id = made(*store);
  Killed killed(disk);
  must(trash_session({}, *store, id));
  std::size_t there = 0;
  const auto states = killed.states();
  for (const auto& left : states) {
    const StorePtr next = open_on(*left, GetParam());
    if (next->get({}, id)) {
      ++there;
      EXPECT_EQ(picture(*next, id), "renamed a b");
      EXPECT_TRUE(must(trashed_sessions({}, *next)).empty());
      must(next->update({}, id, {.title = "again"}));
      append(*next, id, "c");
      ASSERT_EQ(picture(*next, id), "again a b c");
    } else {
      must(restore_session({}, *next, id));
      ASSERT_EQ(picture(*next, id), "renamed a b");
      append(*next, id, "c");
    }
  }
  EXPECT_GT(there, 1u);
  EXPECT_LT(there, states.size());
}

TEST_P(CutShort, RestoreIsFinishedOrCanBeRepeated) {
  const std::string id = made(*store);
  must(trash_session({}, *store, id));
  Killed killed(disk);
  must(restore_session({}, *store, id));
  std::size_t there = 0;
  const auto states = killed.states();
  for (const auto& left : states) {
    const StorePtr next = open_on(*left, GetParam());
    if (next->get({}, id)) {
      ++there;
      append(*next, id, "c");
      ASSERT_EQ(picture(*next, id), "renamed a b c");
      const auto again = restore_session({}, *next, id);
      EXPECT_TRUE(again || again.error().code == Code::not_found) << again.error().text();
      EXPECT_TRUE(must(trashed_sessions({}, *next)).empty());
    } else {
      must(restore_session({}, *next, id));
      ASSERT_EQ(picture(*next, id), "renamed a b");
    }
  }
  EXPECT_GT(there, 1u);
  EXPECT_LT(there, states.size());
}

TEST_P(CutShort, DeletionIsAllOrNothing) {
  const std::string id = made(*store);
  Killed killed(disk);
  must(store->remove({}, id));
  std::size_t there = 0;
  const auto states = killed.states();
  for (const auto& left : states) {
    const StorePtr next = open_on(*left, GetParam());
    EXPECT_TRUE(must(trashed_sessions({}, *next)).empty());
    if (!next->get({}, id)) continue;
    ++there;
    EXPECT_EQ(picture(*next, id), "renamed a b");
    append(*next, id, "c");
    ASSERT_EQ(picture(*next, id), "renamed a b c");
  }
  EXPECT_GT(there, 0u);
  EXPECT_LT(there, states.size());
}

// A directory is deleted file by file after it was moved out of sight.
TEST_P(CutShort, EmptyingTrashFinishesDeletion) {
  const std::string id = made(*store);
  Killed killed(disk);
  must(store->remove({}, id));
  std::size_t found = 0;
  for (const auto& left : killed.states()) {
    const auto dropped = [&] {
      return std::ranges::count_if(left->paths(),
                                   [](const std::string& path) { return path.contains("/trash/tree."); });
    };
    found += dropped() > 0 ? 1 : 0;
    const StorePtr next = open_on(*left, GetParam());
    must(empty_trash({}, *next, std::chrono::system_clock::now()));
    EXPECT_EQ(dropped(), 0);
  }
  EXPECT_EQ(found > 0, GetParam() != "open-agent") << "its files go through the trash";
}

// The checksums of a session are not applied to another one that took its place meanwhile.
TEST_P(CutShort, ChecksumsAreTrashedAndRestoredWithSession) {
  const std::string id = made(*store);
  const std::string path = must(store->get({}, id)).path;
  must(trash_session({}, *store, id));
  ASSERT_EQ(must(store->create({}, {.id = id, .project = "/p", .title = "two"})), id);
  append(*store, id, "something quite different and rather longer than that");
  must(store->remove({}, id));
  must(restore_session({}, *store, id));
  Root& root = *must(engine_of(*store))->roots().first();
  const ChecksumReport report = must(verify_checksums({}, root, path));
  EXPECT_TRUE(report.findings.empty()) << report.findings.at(0).consequence;
  EXPECT_GT(report.covered, 0u) << "they came back too";
  append(*store, id, "c");
  EXPECT_TRUE(must(verify_checksums({}, root, path)).findings.empty());
}

INSTANTIATE_TEST_SUITE_P(Layouts, CutShort, testing::Values("holdfast", "linggen", "open-agent"),
                         [](const auto& layout) { return layout.param.substr(0, 4); });

struct CutShortClear : CutShort {};

TEST_P(CutShortClear, ClearIsAllOrNothingAndLogStaysWritable) {
  const std::string id = made(*store);
  Killed killed(disk);
  EXPECT_GE(must(clear_session({}, *store, id)), 2u);
  const auto states = killed.states();
  for (const auto& left : states) {
    const StorePtr next = open_on(*left, GetParam());
    const std::string before = picture(*next, id);
    EXPECT_TRUE(before == "renamed a b" || before == "renamed") << before;
    const auto copy = left->clone();
    append(*next, id, "c");
    EXPECT_EQ(picture(*next, id), before + " c");
    must(clear_session({}, *next, id));
    EXPECT_EQ(picture(*next, id), "renamed");
    must(clear_session({}, *open_on(*copy, GetParam()), id));
  }
}

// A refused clear does not happen later, and nothing is lost that is appended to a log whose name a power loss may
// take.
TEST_P(CutShortClear, FailedSyncRestoresLog) {
  struct Fails final : SimObserver {
    Fails(SimFileSystem& files, int count) : disk(files), left(count) { disk.set_observer(this); }
    ~Fails() override { disk.set_observer(nullptr); }
    Injection before(const SimCall& call) override {
      const bool sync = call.kind == SimCallKind::sync || call.kind == SimCallKind::sync_directory;
      return sync && left-- == 0 ? Injection{Injection::Kind::fail, EIO} : Injection{};
    }
    SimFileSystem& disk;
    int left;
  };
  const std::string id = made(*store);
  disk.sync_all();
  store.reset();
  bool fired = true;
  int refused = 0;
  for (int number = 0; fired; ++number) {
    const auto left = disk.clone();
    const StorePtr now = open_on(*left, GetParam());
    Result<std::uint64_t> done = std::uint64_t{0};
    {
      Fails fails(*left, number);
      done = clear_session({}, *now, id);
      fired = fails.left < 0;
    }
    EXPECT_NE(done.has_value(), fired);
    if (!done && done.error().code != Code::durability_unknown) {
      ++refused;
      EXPECT_EQ(picture(*now, id), "renamed a b") << "sync " << number;
    }
    append(*now, id, "c");
    auto nothing_else = Chooser::random(1, 0);
    const auto after = left->crash(CrashModel::weak, nothing_else);
    EXPECT_TRUE(picture(*open_on(*after, GetParam()), id).ends_with(" c")) << "sync " << number;
  }
  EXPECT_GT(refused, 1);
}

INSTANTIATE_TEST_SUITE_P(Layouts, CutShortClear, testing::Values("holdfast", "linggen"),
                         [](const auto& layout) { return layout.param.substr(0, 4); });

// A store that was open already when another process died.
TEST(CutShortMove, ChangeFinishesInterruptedRestore) {
  SimFileSystem disk;
  const StorePtr store = open_on(disk, "open-agent");
  const std::string id = made(*store);
  const std::string top = must(engine_of(*store))->roots().first()->path();
  must(trash_session({}, *store, id));
  const std::string folder = must(trashed_sessions({}, *store)).at(0).folder;
  Root& root = *must(engine_of(*store))->roots().first();
  must(root.directory().rename(folder + "/0", root.side("headers", id + ".json")));
  const std::string note = R"({"schema_version":1,"root":")" + must(engine_of(*store))->roots().all().begin()->first +
                           R"(","folder":")" + folder + "\"}\n";
  must(
      disk.put_file(top + "/" + root.side("removed", "unfinished" + folder.substr(folder.rfind('/')) + ".json"), note));
  must(store->update({}, id, {.title = "again"}));
  EXPECT_EQ(picture(*store, id), "again a b");
  EXPECT_TRUE(must(trashed_sessions({}, *store)).empty());
}

// Only one process writes the header: starting the log and compacting exclude each other.
TEST(CutShortMove, FirstAppendAndCompactionExcludeEachOther) {
  SimFileSystem disk;
  const StorePtr store = open_on(disk, "open-agent"), other = open_on(disk, "open-agent");
  const std::string id = must(store->create({}, {.project = "/p", .title = "one"}));
  const auto while_held = [&](LockKind kind, const std::function<void()>& act) {
    std::promise<void> held, over;
    std::thread holder([&] {
      const auto lock = must(must(engine_of(*other))->hold_sessions({}, kind));
      held.set_value();
      over.get_future().wait();
    });
    held.get_future().wait();
    act();
    over.set_value();
    holder.join();
  };
  while_held(LockKind::shared, [&] {
    const auto done = compact_session(Context().within(std::chrono::milliseconds(20)), *store, id, {.summary = "s"});
    EXPECT_FALSE(done);
  });
  auto writer = must(store->write({}, id));
  while_held(LockKind::exclusive, [&] {
    EXPECT_FALSE(writer->append(Context().within(std::chrono::milliseconds(20)), said_by_a_person("a")));
  });
  must(writer->append({}, said_by_a_person("a")));
  while_held(LockKind::exclusive, [&] { must(writer->append({}, said_by_a_person("b"))); });
  must(compact_session({}, *store, id, {.summary = "s"}));
}

}  // namespace
}  // namespace holdfast::inline v1
