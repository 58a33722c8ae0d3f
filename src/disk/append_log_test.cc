#include <holdfast/append_log.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <set>
#include <thread>

#include "disk/real_testing.h"
#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

using namespace std::chrono_literals;

TEST(AppendLog, AppendsLinesAndReturnsOffsets) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "d/log.jsonl", quiet()));
  const Ack first = must(log->append({}, R"({"a":1})"));
  const Ack second = must(log->append({}, R"({"b":"x"})"));
  EXPECT_EQ(store.bytes("d/log.jsonl"), "{\"a\":1}\n{\"b\":\"x\"}\n");
  EXPECT_EQ(first.offset, 0U);
  EXPECT_EQ(first.end, 8U);
  EXPECT_EQ(second.offset, 8U);
  EXPECT_EQ(second.durability, Durability::power);
}

TEST(AppendLog, BatchIsOneWrite) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  struct Count final : SimObserver {
    int appends = 0;
    void after(const SimCall& call) override { appends += call.kind == SimCallKind::append && call.path == "/s/log"; }
  } count;
  store.disk.set_observer(&count);
  const std::string_view batch[] = {R"({"a":1})", R"({"a":2})", R"({"a":3})"};
  must(log->append({}, batch));
  EXPECT_EQ(count.appends, 1);
  EXPECT_EQ(records(store.root->directory(), "log").size(), 3U);
}

TEST(AppendLog, RejectsAnythingButOneObjectOnOneLine) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  for (const char* bad :
       {"", "{", "[1]", "1", "{\"a\":1}{\"b\":2}", "{\"a\":\n1}", "{\"a\":\"\xff\"}", "{\"a\":\"\t\"}"}) {
    const auto ack = log->append({}, bad);
    ASSERT_FALSE(ack) << bad;
    EXPECT_EQ(ack.error().code, Code::invalid_record) << bad;
    EXPECT_EQ(ack.error().path, "log");
  }
  LogOptions small = quiet();
  small.max_line = 10;
  auto limited = must(AppendLog::open({}, store.root, "limited", small));
  EXPECT_EQ(limited->append({}, R"({"a":"0123456789"})").error().code, Code::too_large);
  EXPECT_EQ(store.bytes("log"), "");
}

TEST(AppendLog, PowerDurabilitySurvivesPowerLoss) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  must(log->append({}, R"({"n":1})", Durability::power));
  must(log->append({}, R"({"n":2})", Durability::process));
  auto nothing = Chooser::random(1, 0);  // nothing unsynced survives
  auto after = store.disk.crash(CrashModel::weak, nothing);
  EXPECT_EQ(after->read_file("/s/log").value(), "{\"n\":1}\n");
}

TEST(AppendLog, NoneDurabilityBuffersAndKeepsOrder) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  EXPECT_EQ(must(log->append({}, R"({"n":1})", Durability::none)).durability, Durability::none);
  EXPECT_EQ(store.bytes("log"), "");
  const Ack ack = must(log->append({}, R"({"n":2})", Durability::power));
  EXPECT_EQ(store.bytes("log"), "{\"n\":1}\n{\"n\":2}\n");
  EXPECT_EQ(ack.offset, 8U);
  must(log->append({}, R"({"n":3})", Durability::none));
  must(log->close({}));
  EXPECT_EQ(store.bytes("log"), "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
  EXPECT_EQ(log->append({}, R"({"n":4})").error().code, Code::invalid_argument);
}

TEST(AppendLog, OwnLogMovesTornTailAside) {
  SimStore store;
  must(store.disk.put_file("/s/log", "{\"n\":1}\n{\"n\":2,\"te"));
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  EXPECT_EQ(store.bytes("log"), "{\"n\":1}\n");
  ASSERT_EQ(log->findings().size(), 1U);
  const Finding finding = log->findings()[0];
  EXPECT_EQ(finding.offset, 8U);
  EXPECT_EQ(finding.length, 10U);
  EXPECT_EQ(finding.kind, "torn");
  EXPECT_EQ(store.bytes(finding.moved_to), "{\"n\":2,\"te");
}

TEST(AppendLog, OwnLogAddsMissingFinalNewline) {
  SimStore store;
  must(store.disk.put_file("/s/log", "{\"n\":1}\n{\"n\":2}"));
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  EXPECT_EQ(store.bytes("log"), "{\"n\":1}\n{\"n\":2}\n");
}

TEST(AppendLog, OwnLogKeepsDamagedTailWithCompleteRecord) {
  SimStore store;
  must(store.disk.put_file("/s/log",
                           "{\"n\":1,\"te"
                           "{\"n\":2}"));
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  must(log->append({}, R"({"n":3})"));
  EXPECT_EQ(records(store.root->directory(), "log"), (Lines{"{\"n\":2}", "{\"n\":3}"}));
}

TEST(AppendLog, SharedLogIsNotCutAndAppendStartsNewLine) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet(LogMode::shared)));
  must(log->append({}, R"({"n":1})"));
  must(store.disk.foreign_append("/s/log", "{\"foreign\":1,\"te"));
  const Ack ack = must(log->append({}, R"({"n":2})"));
  EXPECT_EQ(store.bytes("log"), "{\"n\":1}\n{\"foreign\":1,\"te\n{\"n\":2}\n");
  EXPECT_EQ(store.bytes("log").substr(ack.offset, ack.end - ack.offset), "{\"n\":2}\n");
}

TEST(AppendLog, DiskFullRollsBackToCompleteLines) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  must(log->append({}, R"({"n":1})"));
  for (int fits = 1; fits < 30; ++fits) {
    struct Full final : SimObserver {
      int left;
      explicit Full(int bytes) : left(bytes) {}
      Injection before(const SimCall& call) override {
        if (call.kind != SimCallKind::append || call.path != "/s/log") return {};
        if (left <= 0) return {Injection::Kind::fail, ENOSPC};
        const auto now = static_cast<std::uint64_t>(std::exchange(left, 0));
        return {Injection::Kind::short_write, ENOSPC, now};
      }
    } full(fits);
    store.disk.set_observer(&full);
    const std::string_view batch[] = {R"({"a":123456})", R"({"b":123456})", R"({"c":123456})"};
    const auto ack = log->append({}, batch);
    store.disk.set_observer(nullptr);
    ASSERT_FALSE(ack);
    EXPECT_EQ(ack.error().code, Code::disk_full);
    EXPECT_EQ(ack.error().os_error, ENOSPC);
    EXPECT_EQ(store.bytes("log").back(), '\n');
    must(log->append({}, R"({"after":1})"));
    auto reader = must(LogReader::open({}, store.root->directory(), "log"));
    Record record;
    while (must(reader.next(record))) {
    }
    EXPECT_TRUE(reader.damage().empty()) << fits;
  }
}

TEST(AppendLog, PartialWritesReportDiskFull) {
  for (const LogMode mode : {LogMode::ours, LogMode::shared}) {
    SimStore store;
    LogOptions options = quiet(mode);
    options.checksums = false;
    auto log = must(AppendLog::open({}, store.root, "log", options));
    must(log->append({}, R"({"n":1})"));
    store.disk.set_capacity(20, 100);  // part of it fits; after a roll-back, part of it fits again
    const auto ack = log->append({}, R"({"a":"abcdefghijklmnopqrstuvwxyz"})");
    ASSERT_FALSE(ack);
    EXPECT_EQ(ack.error().code, Code::disk_full);
    EXPECT_EQ(ack.error().os_error, ENOSPC);
    store.disk.set_capacity(1000, 100);
    must(log->append({}, R"({"n":2})"));
    EXPECT_EQ(records(store.root->directory(), "log"), (Lines{R"({"n":1})", R"({"n":2})"}));
  }
}

TEST(AppendLog, FailedSyncIsNotRetriedAndLosesNoRecord) {
  struct FailsOnce final : SimObserver {
    int syncs = 0;
    Injection before(const SimCall& call) override {
      if (call.kind != SimCallKind::sync || call.path != "/s/log") return {};
      return ++syncs == 1 ? Injection{Injection::Kind::fail, EIO} : Injection{};
    }
  };
  for (const LogMode mode : {LogMode::ours, LogMode::shared}) {
    SimStore store;
    auto log = must(AppendLog::open({}, store.root, "log", quiet(mode)));
    auto other = must(AppendLog::open({}, store.again(), "log", quiet(mode)));
    must(log->append({}, R"({"n":1})"));
    FailsOnce fault;
    store.disk.set_observer(&fault);
    const auto failed = log->append({}, R"({"n":2})");
    store.disk.set_observer(nullptr);
    ASSERT_FALSE(failed);
    EXPECT_EQ(fault.syncs, 1) << "a second sync would succeed without writing the record";
    EXPECT_EQ(failed.error().code, Code::durability_unknown);
    EXPECT_EQ(failed.error().os_error, EIO);
    // Another process: its own sync would succeed although record 2 is lost.
    must(other->append({}, R"({"n":3})"));
    must(log->append({}, R"({"n":4})"));
    auto nothing = Chooser::random(1, 0);
    auto after = store.disk.crash(CrashModel::weak, nothing);
    EXPECT_EQ(after->read_file("/s/log").value(), "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n{\"n\":4}\n");
  }
}

TEST(AppendLog, RemovedLogIsAnErrorReplacedLogIsFollowed) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  must(log->append({}, R"({"n":1})"));
  must(store.disk.put_file("/s/new", "{\"n\":0}\n"));
  must(store.root->directory().rename("new", "log"));
  must(log->append({}, R"({"n":2})"));
  EXPECT_EQ(store.bytes("log"), "{\"n\":0}\n{\"n\":2}\n");
  must(store.root->directory().remove("log"));
  EXPECT_EQ(log->append({}, R"({"n":3})").error().code, Code::not_found);
}

TEST(AppendLog, ComposesFromTheLastRecord) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  const auto grow = [](std::string_view last) -> Result<std::string> {
    return "{\"after\":" + std::to_string(last.size()) + "}";
  };
  must(log->append_after_last({}, grow));
  must(log->append_after_last({}, grow));
  EXPECT_EQ(records(store.root->directory(), "log"), (Lines{"{\"after\":0}", "{\"after\":11}"}));
}

TEST(AppendLog, ComposesFromLastRecordOfAnotherWriter) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  const auto echo = [](std::string_view last) -> Result<std::vector<std::string>> {
    return std::vector<std::string>{"{\"seen\":" + std::string(last) + "}", "{\"last\":1}"};
  };
  must(log->append({}, R"({"n":1})"));
  must(log->append_all_after_last({}, echo));
  must(log->append_all_after_last({}, echo));
  must(must(AppendLog::open({}, store.root, "log", quiet()))->append({}, R"({"n":2})"));
  must(log->append_all_after_last({}, echo));
  EXPECT_EQ(records(store.root->directory(), "log"),
            (Lines{R"({"n":1})", R"({"seen":{"n":1}})", R"({"last":1})", R"({"seen":{"last":1}})", R"({"last":1})",
                   R"({"n":2})", R"({"seen":{"n":2}})", R"({"last":1})"}));
}

// What another writer did not sync survives once somebody acknowledged that it is there.
TEST(AppendLog, NothingToAppendMakesLogDurable) {
  SimStore store;
  const auto nothing = [](std::string_view) { return Result<std::vector<std::string>>(std::vector<std::string>()); };
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  must(log->append({}, R"({"n":1})"));
  auto other = must(AppendLog::open({}, store.again(), "log", quiet()));
  must(other->append({}, R"({"n":2})", Durability::process));
  struct Syncs final : SimObserver {
    void after(const SimCall& call) override { count += call.kind == SimCallKind::sync ? 1 : 0; }
    int count = 0;
  } syncs;
  store.disk.set_observer(&syncs);
  const Ack ack = must(log->append_all_after_last({}, nothing));
  EXPECT_EQ(ack.end, 16U);
  EXPECT_EQ(ack.durability, Durability::power);
  EXPECT_EQ(syncs.count, 1);
  must(log->append_all_after_last({}, nothing));
  EXPECT_EQ(syncs.count, 1) << "everything is durable already";
  store.disk.set_observer(nullptr);
  auto none = Chooser::random(1, 0);
  EXPECT_EQ(store.disk.crash(CrashModel::weak, none)->read_file("/s/log").value(), "{\"n\":1}\n{\"n\":2}\n");
}

// Syncs of the file that had the name before say nothing about the one that has it now.
TEST(AppendLog, NothingToAppendMakesReplacedLogDurable) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  must(log->append({}, R"({"n":1,"long":1})"));
  Directory& directory = store.root->directory();
  must(must(directory.open("copy", OpenMode::create_append))->append("{\"n\":2}\n"));
  must(directory.rename("copy", "log"));
  must(directory.sync_directory(""));
  must(log->append_all_after_last(
      {}, [](std::string_view) { return Result<std::vector<std::string>>(std::vector<std::string>()); }));
  auto none = Chooser::random(1, 0);
  EXPECT_EQ(store.disk.crash(CrashModel::weak, none)->read_file("/s/log").value(), "{\"n\":2}\n");
}

// The same if somebody cut the log, and it has grown to the same size since.
TEST(AppendLog, NothingToAppendMakesRegrownLogDurable) {
  SimStore store;
  const auto nothing = [](std::string_view) { return Result<std::vector<std::string>>(std::vector<std::string>()); };
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  auto other = must(AppendLog::open({}, store.again(), "log", quiet()));
  must(log->append({}, R"({"n":1})"));
  must(must(store.root->directory().open("log", OpenMode::update))->truncate(0));
  must(other->append({}, R"({"n":2})", Durability::process));
  must(log->append_all_after_last({}, nothing));
  auto none = Chooser::random(1, 0);
  EXPECT_EQ(store.disk.crash(CrashModel::weak, none)->read_file("/s/log").value(), "{\"n\":2}\n");
}

// A sync that is under way while the log is replaced makes nothing of the new one durable.
TEST(AppendLog, NothingToAppendDoesNotTrustTheSyncOfTheLogBefore) {
  SimStore store;
  const auto nothing = [](std::string_view) { return Result<std::vector<std::string>>(std::vector<std::string>()); };
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  struct Replace final : SimObserver {
    std::function<void()> replace;
    Injection before(const SimCall& call) override {
      if (call.kind == SimCallKind::sync && call.path == "/s/log" && replace) std::exchange(replace, nullptr)();
      return {};
    }
  } observer;
  observer.replace = [&] {
    Directory& directory = store.root->directory();
    must(must(directory.open("copy", OpenMode::create_append))->append("{\"n\":2}\n"));
    must(directory.rename("copy", "log"));
    must(directory.sync_directory(""));
    must(log->append_all_after_last({}, nothing, Durability::process));
  };
  store.disk.set_observer(&observer);
  must(log->append({}, R"({"n":1})"));
  store.disk.set_observer(nullptr);
  ASSERT_EQ(store.bytes("log"), "{\"n\":2}\n");
  must(log->append_all_after_last({}, nothing));
  auto none = Chooser::random(1, 0);
  EXPECT_EQ(store.disk.crash(CrashModel::weak, none)->read_file("/s/log").value(), "{\"n\":2}\n");
}

TEST(AppendLog, LockWaitEndsAtDeadlineOrCancellation) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  auto holder = must(store.root->directory().open("log", OpenMode::append));
  ASSERT_TRUE(must(holder->try_lock(LockKind::exclusive)));
  const auto ack = log->append(Context{}.within(20ms), R"({"n":1})");
  ASSERT_FALSE(ack);
  EXPECT_EQ(ack.error().code, Code::busy);
  std::stop_source stop;
  stop.request_stop();
  Context stopped;
  stopped.stop = stop.get_token();
  EXPECT_EQ(log->append(stopped, R"({"n":1})").error().code, Code::cancelled);
}

TEST(AppendLog, ConcurrentAppendsLoseNothing) {
  TemporaryDirectory directory;
  auto root = must(Root::open({}, real_file_system(), directory.path()));
  auto log = must(AppendLog::open({}, root, "log"));
  constexpr int kThreads = 8;
  constexpr int kEach = 60;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < kEach; ++i) {
          const auto durability = static_cast<Durability>(i % 3);
          EXPECT_TRUE(log->append({}, "{\"t\":" + std::to_string(t) + ",\"i\":" + std::to_string(i) + "}", durability));
        }
      });
  }
  must(log->close({}));
  const auto all = records(root->directory(), "log");
  EXPECT_EQ(all.size(), static_cast<std::size_t>(kThreads * kEach));
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}

// While one thread syncs, seven others write; one more sync covers all of them.
TEST(AppendLog, WaitingThreadsShareOneSync) {
  constexpr int kOthers = 7;
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  struct SlowSync final : SimObserver {
    std::function<void()> start_others;
    std::atomic<int> syncs = 0, appends = 0;
    Injection before(const SimCall& call) override {
      if (call.kind != SimCallKind::sync || call.path != "/s/log" || ++syncs > 1) return {};
      start_others();
      for (int i = 0; i < 1000 && appends <= kOthers; ++i) std::this_thread::sleep_for(5ms);
      EXPECT_EQ(appends, 1 + kOthers) << "a write waits for a sync";
      return {};
    }
    void after(const SimCall& call) override { appends += call.kind == SimCallKind::append && call.path == "/s/log"; }
  } slow;
  std::vector<std::jthread> others;
  slow.start_others = [&] {
    for (int n = 1; n <= kOthers; ++n)
      others.emplace_back([&, n] { EXPECT_TRUE(log->append({}, "{\"n\":" + std::to_string(n) + "}")); });
  };
  store.disk.set_observer(&slow);
  must(log->append({}, R"({"n":0})"));
  others.clear();  // waits for them
  store.disk.set_observer(nullptr);
  EXPECT_EQ(slow.syncs, 2);
  auto nothing = Chooser::random(1, 0);
  EXPECT_EQ(store.disk.crash(CrashModel::weak, nothing)->read_file("/s/log").value(), store.bytes("log"));
  EXPECT_EQ(records(store.root->directory(), "log").size(), 1U + kOthers);
}

TEST(AppendLog, BackgroundSyncMakesRecordsDurable) {
  SimStore store;
  LogOptions options;
  options.sync_interval = 5ms;
  auto log = must(AppendLog::open({}, store.root, "log", options));
  must(log->append({}, R"({"n":1})", Durability::process));
  must(log->append({}, R"({"n":2})", Durability::none));
  for (int i = 0; i < 1000; ++i) {
    std::this_thread::sleep_for(5ms);
    auto nothing = Chooser::random(1, 0);
    if (store.disk.crash(CrashModel::weak, nothing)->read_file("/s/log") == "{\"n\":1}\n{\"n\":2}\n") return;
  }
  FAIL() << "never synced";
}

TEST(AppendLog, FilesAreAccessibleToOwnerOnly) {
  TemporaryDirectory directory;
  auto root = must(Root::open({}, real_file_system(), directory.path("store"), {.create = true}));
  auto log = must(AppendLog::open({}, root, "deep/log"));
  must(log->append({}, R"({"n":1})"));
  EXPECT_EQ(must(root->directory().stat("deep/log")).mode, 0600U);
  EXPECT_EQ(must(root->directory().stat("deep")).mode, 0700U);
  EXPECT_EQ(must(root->directory().stat("")).mode, 0700U);
  EXPECT_EQ(must(root->directory().stat(root->side("sums"))).mode, 0700U);
}

}  // namespace
}  // namespace holdfast::inline v1
