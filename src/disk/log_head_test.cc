#include "disk/log_head.h"

#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

struct LogHead : testing::Test, SimStore {
  LogHead() { must(disk.put_file("/s/log", "{\"h\":1}\n{\"a\":1}\n")); }
  HeadChange to(std::string line) { return {"log", "{\"h\":1}", std::move(line)}; }
  std::string kept_name() {
    for (const SimEntry& entry : disk.tree()) {
      if (entry.kind == FileKind::file && entry.path.find("/replaced/") != std::string::npos) return entry.path;
    }
    return {};
  }
};

TEST_F(LogHead, ReplacesOnlyTheFirstLine) {
  must(replace_head({}, root, to("{\"h\":\"longer\"}")));
  EXPECT_EQ(bytes("log"), "{\"h\":\"longer\"}\n{\"a\":1}\n");
}

TEST_F(LogHead, ConflictsWhenFirstLineDiffers) {
  HeadChange change = to("{}");
  change.expected = "{\"h\":2}";
  EXPECT_EQ(replace_head({}, root, change).error().code, Code::conflict);
  EXPECT_EQ(bytes("log"), "{\"h\":1}\n{\"a\":1}\n");
}

TEST_F(LogHead, CopiesLateForeignAppendsToNewFile) {
  auto foreign = must(must(disk.open_directory("/s", false))->open("log", OpenMode::append));
  must(replace_head({}, root, to("{\"h\":2}")));
  must(foreign->append("{\"late\":1}\n{\"to"));
  EXPECT_EQ(must(settle_head({}, root, "log")), 1u);
  EXPECT_EQ(bytes("log"), "{\"h\":2}\n{\"a\":1}\n{\"late\":1}\n");
  must(foreign->append("rn\":2}\n"));
  EXPECT_EQ(must(settle_head({}, root, "log")), 1u);
  EXPECT_EQ(must(settle_head({}, root, "log")), 0u);
  EXPECT_EQ(bytes("log"), "{\"h\":2}\n{\"a\":1}\n{\"late\":1}\n{\"torn\":2}\n");
}

TEST_F(LogHead, OwnWritersContinueInNewFile) {
  auto log = must(AppendLog::open({}, root, "log", quiet(LogMode::shared)));
  must(log->append({}, "{\"b\":1}"));
  must(replace_head({}, root, to("{\"h\":2}")));
  must(log->append({}, "{\"c\":1}"));
  EXPECT_EQ(records(root->directory(), "log"), (Lines{"{\"h\":2}", "{\"a\":1}", "{\"b\":1}", "{\"c\":1}"}));
}

TEST_F(LogHead, WipesOldLineInKeptFile) {
  HeadChange change = to("{\"h\":2}");
  change.wipe = true;
  must(replace_head({}, root, change));
  ASSERT_FALSE(kept_name().empty());
  EXPECT_EQ(*disk.read_file(kept_name()), "       \n{\"a\":1}\n");
}

// A crash between the second name and the rename, while an older file still has
// lines to copy: a log with two names cannot be opened.
TEST_F(LogHead, LeftoverLinkFromCrashIsHarmless) {
  auto foreign = must(must(disk.open_directory("/s", false))->open("log", OpenMode::append));
  must(replace_head({}, root, to("{\"h\":2}")));
  must(foreign->append("{\"late\":1}\n"));
  const std::string older = kept_name();
  must(root->directory().make_link("log", older.substr(3, older.rfind('/') - 2) + "999999.1.x"));
  EXPECT_EQ(must(settle_head({}, root, "log")), 1u);
  EXPECT_EQ(bytes("log"), "{\"h\":2}\n{\"a\":1}\n{\"late\":1}\n");
}

// The system may stop at every call; the log is the old or the new one,
// complete, and can be written to.
TEST_F(LogHead, CrashLeavesOldOrNewLog) {
  struct Stop final : SimObserver {
    explicit Stop(int at) : left(at) {}
    Injection before(const SimCall&) override {
      if (left-- > 0) return {};
      Injection injection;
      injection.kind = Injection::Kind::kill_before;
      return injection;
    }
    int left;
  };
  bool done = false;
  for (int at = 0; at < 200 && !done; ++at) {
    SimStore store;
    must(store.disk.put_file("/s/log", "{\"h\":1}\n{\"a\":1}\n"));
    Stop stop(at);
    store.disk.set_observer(&stop);
    done = replace_head({}, store.root, to("{\"h\":2}")).has_value();
    store.disk.set_observer(nullptr);
    store.disk.kill();
    auto again = store.again();
    must(settle_head({}, again, "log"));
    auto log = must(AppendLog::open({}, again, "log", quiet(LogMode::shared)));
    must(log->append({}, "{\"b\":1}"));
    const std::string now = store.bytes("log");
    EXPECT_TRUE(now == "{\"h\":1}\n{\"a\":1}\n{\"b\":1}\n" || now == "{\"h\":2}\n{\"a\":1}\n{\"b\":1}\n") << at << now;
  }
  EXPECT_TRUE(done);
}

// The new file is complete when it takes the name.
TEST_F(LogHead, PowerLossLeavesOldOrNewLog) {
  struct Cut final : SimObserver {
    explicit Cut(SimFileSystem& given) : disk(given) {}
    void after(const SimCall&) override { look(false); }
    void look(bool done) {
      for (const CrashModel model : kAllModels) {
        Chooser chooser(40, 10, 7);
        do {
          const std::string now = disk.crash(model, chooser)->read_file("/s/log").value_or("<none>");
          EXPECT_TRUE(now == "{\"h\":2}\n{\"a\":1}\n" || (!done && now == "{\"h\":1}\n{\"a\":1}\n")) << now;
        } while (chooser.next() && !HasFailure());
      }
    }
    SimFileSystem& disk;
  } cut(disk);
  disk.set_observer(&cut);
  must(replace_head({}, root, to("{\"h\":2}")));
  disk.set_observer(nullptr);
  cut.look(true);
}

// Every line that a foreign writer appends late is there exactly once, wherever
// the process or the machine stops, and wherever it stops the next time.
TEST_F(LogHead, LateLinesAreCopiedOnceDespiteCrashes) {
  auto foreign = must(must(disk.open_directory("/s", false))->open("log", OpenMode::append));
  must(replace_head({}, root, to("{\"h\":2}")));
  must(foreign->append("{\"late\":1}\n{\"late\":2}\n"));
  disk.sync_all();
  const Lines whole{"{\"h\":2}", "{\"a\":1}", "{\"late\":1}", "{\"late\":2}"};
  struct Stop final : SimObserver {
    Stop(SimFileSystem& given, const Lines& expected) : disk(given), whole(expected) {}
    void after(const SimCall&) override {
      check(*disk.clone());
      for (const CrashModel model : kAllModels) {
        Chooser chooser(20, 5, 7);
        do {
          const auto booted = disk.crash(model, chooser);
          check(*booted);
        } while (chooser.next() && !HasFailure());
      }
    }
    void check(SimFileSystem& next) const {
      auto again = must(Root::open({}, next, "/s"));
      must(settle_head({}, again, "log"));
      EXPECT_EQ(records(again->directory(), "log"), whole);
      must(settle_head({}, again, "log"));
      EXPECT_EQ(records(again->directory(), "log"), whole);
      auto nothing = Chooser::random(1, 0);
      const auto later = next.crash(CrashModel::weak, nothing);
      auto last = must(Root::open({}, *later, "/s"));
      must(settle_head({}, last, "log"));
      EXPECT_EQ(records(last->directory(), "log"), whole);
    }
    SimFileSystem& disk;
    const Lines& whole;
  } stop(disk, whole);
  disk.set_observer(&stop);
  EXPECT_EQ(must(settle_head({}, root, "log")), 2u);
  disk.set_observer(nullptr);
  EXPECT_EQ(records(root->directory(), "log"), whole);
}

// The name that records how much of the old file was copied must be durable before more is copied.
TEST_F(LogHead, SuccessiveLateLinesAreCopiedOnce) {
  auto foreign = must(must(disk.open_directory("/s", false))->open("log", OpenMode::append));
  must(replace_head({}, root, to("{\"h\":2}")));
  auto log = must(AppendLog::open({}, root, "log", quiet(LogMode::shared)));
  std::string whole = "{\"h\":2}\n{\"a\":1}\n";
  for (const char* number : {"1", "2"}) {
    must(foreign->append("{\"late\":" + std::string(number) + "}\n"));
    EXPECT_EQ(must(settle_head({}, root, "log")), 1u);
    must(log->append({}, "{\"ours\":" + std::string(number) + "}"));
    whole += "{\"late\":" + std::string(number) + "}\n{\"ours\":" + std::string(number) + "}\n";
  }
  for (const CrashModel model : kAllModels) {
    Chooser chooser(200, 20, 7);
    do {
      const auto booted = disk.crash(model, chooser);
      must(settle_head({}, must(Root::open({}, *booted, "/s")), "log"));
      EXPECT_EQ(booted->read_file("/s/log").value_or(""), whole);
    } while (chooser.next() && !HasFailure());
  }
}

}  // namespace
}  // namespace holdfast::inline v1
