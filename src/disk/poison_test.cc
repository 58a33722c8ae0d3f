// The mark of a failed sync: when it is checked, and what happens if it cannot be made.
#include "disk/poison.h"

#include <cerrno>
#include <utility>

#include "disk/log_head.h"
#include "disk/staged.h"
#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

// A medium that accepts neither syncs nor writes to the poison folder.
class Sick final : public SimObserver {
 public:
  Injection before(const SimCall& call) override {
    const bool mark = call.path.contains("/poison") || call.path.contains("/tmp");
    return mark || call.kind == SimCallKind::sync ? Injection{Injection::Kind::fail, EIO} : Injection{};
  }
};

TEST(Poison, RootRemembersMarkThatCouldNotBeWritten) {
  for (const LogMode mode : {LogMode::ours, LogMode::shared})
    for (const std::size_t padding : {8U, 9000U}) {
      SimStore store;
      must(store.root->ensure_directory(store.root->side("poison")));
      std::string expected;
      const std::string process = "{\"n\":1,\"pad\":\"" + std::string(padding, 'p') + "\"}";
      {
        auto log = must(AppendLog::open({}, store.root, "log", quiet(mode)));
        must(log->append({}, process, Durability::process));
        Sick sick;
        store.disk.set_observer(&sick);
        EXPECT_EQ(log->sync({}).error().code, Code::durability_unknown);
        EXPECT_FALSE(log->close({}));
        log.reset();
        store.disk.set_observer(nullptr);
      }
      EXPECT_FALSE(store.disk.exists("/s/.holdfast/poison/log"));
      auto log = must(AppendLog::open({}, store.root, "log", quiet(mode)));
      must(log->append({}, R"({"n":2})"));
      auto nothing = Chooser::random(1, 0);
      EXPECT_EQ(store.disk.crash(CrashModel::weak, nothing)->read_file("/s/log").value(), process + "\n{\"n\":2}\n");
    }
}

TEST(Poison, MarkMadeDuringSyncIsSeen) {
  for (const LogMode mode : {LogMode::ours, LogMode::shared}) {
    SimStore store;
    auto log = must(AppendLog::open({}, store.root, "log", quiet(mode)));
    must(log->append({}, R"({"n":1})"));
    // Another process: its sync of this file failed, so ours cannot be trusted.
    struct Other final : SimObserver {
      explicit Other(SimFileSystem& given) : disk(given) {}
      void after(const SimCall& call) override {
        if (call.kind == SimCallKind::sync && call.path == "/s/log")
          must(disk.put_file("/s/.holdfast/poison/log", "0\n"));
      }
      SimFileSystem& disk;
    } other(store.disk);
    store.disk.set_observer(&other);
    const auto ack = log->append({}, R"({"n":2})");
    store.disk.set_observer(nullptr);
    ASSERT_FALSE(ack);
    EXPECT_EQ(ack.error().code, Code::durability_unknown);
    must(log->append({}, R"({"n":3})"));
    EXPECT_FALSE(store.disk.exists("/s/.holdfast/poison/log"));
  }
}

// The state after a process gave a log another file, failed to sync the name, and died.
void abandon(SimStore& store, const std::string& bytes) {
  struct Fails final : SimObserver {
    Injection before(const SimCall& call) override {
      return call.kind == SimCallKind::sync_directory ? Injection{Injection::Kind::fail, EIO} : Injection{};
    }
  } fails;
  const auto root = must(Root::open({}, store.disk, "/s"));
  const auto held = must(root->lock({}));
  const std::string staged = must(stage_file(*root, bytes));
  must(Poison(*root, "log").mark_name(*root, staged));
  must(root->directory().rename(staged, "log"));
  store.disk.set_observer(&fails);
  EXPECT_FALSE(root->sync_name("log"));
  store.disk.set_observer(nullptr);
}

TEST(Poison, UnsyncedNameIsRestoredBeforeAppending) {
  for (const LogMode mode : {LogMode::ours, LogMode::shared})
    for (const bool open_before : {false, true}) {
      SimStore store;
      auto log = must(AppendLog::open({}, store.root, "log", quiet(mode)));
      must(log->append({}, R"({"n":1})"));
      if (!open_before) log.reset();
      abandon(store, "{\"n\":2}\n");
      const auto foreign = must(store.root->directory().open("log", OpenMode::append));
      if (!log) log = must(AppendLog::open({}, must(Root::open({}, store.disk, "/s")), "log", quiet(mode)));
      must(log->append({}, R"({"n":3})"));
      EXPECT_FALSE(store.disk.exists("/s/.holdfast/poison/log"));
      auto nothing = Chooser::random(1, 0);
      EXPECT_EQ(store.disk.crash(CrashModel::weak, nothing)->read_file("/s/log").value(), "{\"n\":2}\n{\"n\":3}\n");
      if (mode == LogMode::ours) continue;
      // A program that already had the file open loses nothing.
      must(foreign->append("{\"n\":4}\n"));
      EXPECT_EQ(must(settle_head({}, store.root, "log")), 1U);
      EXPECT_EQ(store.disk.read_file("/s/log").value(), "{\"n\":2}\n{\"n\":3}\n{\"n\":4}\n");
    }
}

TEST(Poison, NameMarkOfAnotherFileIsIgnored) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet(LogMode::shared)));
  must(log->append({}, R"({"n":1})"));
  // Another process is about to give the log another file while ours is being synced.
  struct Other final : SimObserver {
    explicit Other(SimFileSystem& given) : disk(given) {}
    void after(const SimCall& call) override {
      if (call.kind == SimCallKind::sync && call.path == "/s/log")
        must(disk.put_file("/s/.holdfast/poison/log", "0 name 999999\n"));
    }
    SimFileSystem& disk;
  } other(store.disk);
  store.disk.set_observer(&other);
  must(log->append({}, R"({"n":2})"));
  store.disk.set_observer(nullptr);
}

// Another process finished giving the log another file between the two looks at its mark.
TEST(Poison, RemovedMarkConcernsNoFile) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet(LogMode::shared)));
  must(log->append({}, R"({"n":1})"));
  const auto file = must(store.root->directory().open("log", OpenMode::read));
  const Poison poison(*store.root, "log");
  EXPECT_FALSE(poison.concerns(*store.root, *file));
  must(store.disk.put_file("/s/.holdfast/poison/log", ""));  // one that is being written
  EXPECT_TRUE(poison.concerns(*store.root, *file));
}

// A process died while it gave the log another file, after we had looked for a mark and before we wrote to that file.
TEST(Poison, NameMarkOfOurFileIsMendedDuringSync) {
  for (const LogMode mode : {LogMode::ours, LogMode::shared}) {
    SimStore store;
    auto log = must(AppendLog::open({}, store.root, "log", quiet(mode)));
    must(log->append({}, R"({"n":1})"));
    struct Other final : SimObserver {
      Other(SimFileSystem& given, std::uint64_t number) : disk(given), inode(number) {}
      void after(const SimCall& call) override {
        if (!std::exchange(done, done || (call.kind == SimCallKind::sync && call.path == "/s/log")) && done)
          must(disk.put_file("/s/.holdfast/poison/log", "0 name " + std::to_string(inode) + "\n"));
      }
      SimFileSystem& disk;
      std::uint64_t inode;
      bool done = false;
    } other(store.disk, must(store.root->directory().stat("log")).inode);
    store.disk.set_observer(&other);
    must(log->append({}, R"({"n":2})"));
    store.disk.set_observer(nullptr);
    EXPECT_TRUE(other.done);
    EXPECT_FALSE(store.disk.exists("/s/.holdfast/poison/log"));
    must(log->append({}, R"({"n":3})"));
    auto nothing = Chooser::random(1, 0);
    EXPECT_EQ(store.disk.crash(CrashModel::weak, nothing)->read_file("/s/log").value(),
              "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
  }
}

}  // namespace
}  // namespace holdfast::inline v1
