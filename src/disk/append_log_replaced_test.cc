// A writer keeps what it wrote until a sync succeeds, while its file is truncated in place or replaced by another
// file. Nobody's lines are overwritten, and lost lines are reported.
#include <holdfast/checksums.h>

#include <cerrno>

#include "disk/log_head.h"
#include "disk/side_car.h"
#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

struct LogReplaced : testing::TestWithParam<LogMode>, SimStore {
  LogReplaced() { must(disk.put_file("/s/log", "{\"h\":1}\n{\"a\":1}\n")); }

  // A log with a line that no sync has covered.
  std::unique_ptr<AppendLog> suspect() {
    auto log = must(AppendLog::open({}, root, "log", quiet(GetParam())));
    must(log->append({}, "{\"lost\":1}", Durability::process));
    OneFault fault(SimCallKind::sync, {Injection::Kind::fail, EIO});
    disk.set_observer(&fault);
    EXPECT_FALSE(log->sync({}));
    disk.set_observer(nullptr);
    return log;
  }
  static bool said_so(const AppendLog& log) {
    for (const Finding& finding : log.findings())
      if (finding.kind == "replaced") return true;
    return false;
  }
  const std::string others = "{\"other\":1,\"text\":\"as long as what was there before, and longer\"}\n";
};

TEST_P(LogReplaced, TruncatedAndRegrownLogIsNotOverwritten) {
  auto log = suspect();
  auto foreign = must(must(disk.open_directory("/s", false))->open("log", OpenMode::update));
  must(foreign->truncate(0));
  must(foreign->write_at(0, others));
  must(log->append({}, "{\"b\":1}"));
  EXPECT_EQ(bytes("log"), others + "{\"b\":1}\n");
  EXPECT_TRUE(said_so(*log));
}

TEST_P(LogReplaced, TruncatedLogIsReportedAndAppendedTo) {
  auto log = suspect();
  auto foreign = must(must(disk.open_directory("/s", false))->open("log", OpenMode::update));
  must(foreign->truncate(8));
  must(log->append({}, "{\"b\":1}"));
  EXPECT_EQ(bytes("log"), "{\"h\":1}\n{\"b\":1}\n");
  EXPECT_TRUE(said_so(*log));
}

TEST_P(LogReplaced, ReplacedFileIsReportedAndAppendedTo) {
  auto log = suspect();
  must(disk.put_file("/s/new", others));
  must(root->directory().rename("new", "log"));
  must(log->append({}, "{\"b\":1}"));
  EXPECT_EQ(bytes("log"), others + "{\"b\":1}\n");
  EXPECT_TRUE(said_so(*log));
}

// Everything after the cut is suspect, whatever was durable before it.
TEST_P(LogReplaced, FailedSyncAfterCutLosesNoLine) {
  auto log = must(AppendLog::open({}, root, "log", quiet(GetParam())));
  must(log->append({}, "{\"long\":\"" + std::string(200, 'x') + "\"}"));
  must(must(must(disk.open_directory("/s", false))->open("log", OpenMode::update))->truncate(8));
  disk.sync_all();
  must(log->append({}, "{\"b\":1}", Durability::process));
  OneFault fault(SimCallKind::sync, {Injection::Kind::fail, EIO});
  disk.set_observer(&fault);
  EXPECT_FALSE(log->sync({}));
  disk.set_observer(nullptr);
  must(log->append({}, "{\"c\":1}"));
  auto nothing = Chooser::random(1, 0);
  EXPECT_EQ(disk.crash(CrashModel::weak, nothing)->read_file("/s/log").value(), "{\"h\":1}\n{\"b\":1}\n{\"c\":1}\n");
}

INSTANTIATE_TEST_SUITE_P(Modes, LogReplaced, testing::Values(LogMode::ours, LogMode::shared),
                         [](const auto& mode) { return mode.param == LogMode::ours ? "ours" : "shared"; });

struct SharedLogReplaced : LogReplaced {};
INSTANTIATE_TEST_SUITE_P(Modes, SharedLogReplaced, testing::Values(LogMode::shared),
                         [](const auto&) { return "shared"; });

// The offsets of the copy belong to the old file (T17).
TEST_P(SharedLogReplaced, ReplacedHeadOfOtherLengthKeepsAllLines) {
  for (const std::string head : {"{\"h\":\"much longer than it was\"}", "{}"}) {
    SimStore other;
    must(other.disk.put_file("/s/log", "{\"h\":1}\n{\"a\":1}\n"));
    auto log = must(AppendLog::open({}, other.root, "log", quiet(LogMode::shared)));
    must(log->append({}, "{\"process\":1}", Durability::process));
    auto second = must(AppendLog::open({}, other.again(), "log", quiet(LogMode::shared)));
    must(replace_head({}, other.root, {"log", "{\"h\":1}", head}));
    must(second->append({}, "{\"acknowledged\":\"by another writer\"}"));
    OneFault fault(SimCallKind::sync, {Injection::Kind::fail, EIO});
    other.disk.set_observer(&fault);
    EXPECT_FALSE(log->sync({}));
    other.disk.set_observer(nullptr);
    must(log->append({}, "{\"b\":1}"));
    EXPECT_EQ(other.bytes("log"),
              head + "\n{\"a\":1}\n{\"process\":1}\n{\"acknowledged\":\"by another writer\"}\n{\"b\":1}\n");
  }
}

// Checksums for other offsets would report whole lines as damaged: they must be gone before the new file is there.
TEST_P(SharedLogReplaced, OldChecksumsAreRemovedBeforeReplacement) {
  LogOptions options = quiet(LogMode::shared);
  options.checksums = true;
  must(must(AppendLog::open({}, root, "log", options))->append({}, "{\"summed\":1}"));
  const std::string sums = side_car_path(*root, "log");
  ASSERT_TRUE(root->directory().exists(sums));
  disk.sync_all();
  struct Watch final : SimObserver {
    Watch(SimFileSystem& on, std::string of) : disk(on), sums(std::move(of)) {}
    void after(const SimCall& call) override {
      if (call.kind != SimCallKind::rename || call.to != "/s/log") return;
      ++renames;
      auto chooser = Chooser::random(50, 1);
      do {
        const auto crashed = disk.crash(CrashModel::weak, chooser);
        const bool replaced = crashed->read_file("/s/log").value_or("").starts_with("{\"h\":2}");
        EXPECT_FALSE(replaced && crashed->exists("/s/" + sums));
      } while (chooser.next());
    }
    SimFileSystem& disk;
    std::string sums;
    int renames = 0;
  } watch(disk, sums);
  disk.set_observer(&watch);
  must(replace_head({}, root, {"log", "{\"h\":1}", "{\"h\":2}"}));
  disk.set_observer(nullptr);
  EXPECT_EQ(watch.renames, 1);
}

// The lines behind the first are the same bytes as before, also if they were written together with it, and what a
// writer adds to the new file is covered too.
TEST_P(SharedLogReplaced, ChecksumsStayWithTheLinesBehindTheHead) {
  LogOptions options = quiet(LogMode::shared);
  options.checksums = true;
  const std::string first = "{\"h\":1}";
  for (const bool together : {false, true}) {
    SimStore other;
    auto log = must(AppendLog::open({}, other.root, "log", options));
    if (together) {
      const std::vector<std::string_view> records{first, "{\"summed\":1}"};
      must(log->append({}, records));
    } else {
      must(log->append({}, first));
      must(log->append({}, "{\"summed\":1}"));
    }
    must(replace_head({}, other.root, {"log", first, "{\"h\":\"longer than it was\"}"}));
    must(log->append({}, "{\"later\":1}"));
    const ChecksumReport whole = must(verify_checksums({}, *other.root, "log"));
    EXPECT_TRUE(whole.findings.empty()) << together;
    EXPECT_EQ(whole.covered, std::string("{\"summed\":1}\n{\"later\":1}\n").size()) << together;
    auto foreign = must(must(other.disk.open_directory("/s", false))->open("log", OpenMode::update));
    must(foreign->write_at(other.bytes("log").find("summed"), "S"));
    EXPECT_EQ(must(verify_checksums({}, *other.root, "log")).findings.size(), 1u) << together;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
