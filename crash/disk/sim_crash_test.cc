// Checks exactly which states each crash model leaves.
#include <algorithm>
#include <utility>

#include "crash/disk/sim_testing.h"

namespace holdfast::inline v1 {
namespace {

void append(File& file, std::string_view bytes) { ASSERT_EQ(must(file.append(bytes)), bytes.size()); }

class SimCrashTest : public ::testing::Test {
 protected:
  std::unique_ptr<File> open(std::string_view path, OpenMode mode) { return must(root_->open(path, mode)); }

  SimFileSystem disk_;
  std::unique_ptr<Directory> root_ = must(disk_.open_directory("/", false));
};

TEST(ChooserTest, VisitsExtremesFirstAndEachCombinationOnce) {
  Chooser chooser = Chooser::exhaustive();
  std::vector<std::vector<std::uint64_t>> seen;
  do {
    std::vector<std::uint64_t> run{chooser.choose(3)};
    if (run[0] != 0) run.push_back(chooser.choose(2));
    run.push_back(chooser.choose(1));
    run.push_back(chooser.choose(2));
    seen.push_back(run);
  } while (chooser.next());
  EXPECT_TRUE(chooser.complete());
  EXPECT_EQ(seen.size(), 10u);
  EXPECT_EQ(seen[0], (std::vector<std::uint64_t>{0, 0, 0}));
  EXPECT_EQ(seen[1], (std::vector<std::uint64_t>{2, 1, 0, 1}));
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
}

TEST(ChooserTest, FallsBackToSampling) {
  Chooser chooser(5, 7, 42);
  int runs = 0;
  do {
    for (int digit = 0; digit < 4; ++digit) EXPECT_LT(chooser.choose(10), 10u);
    ++runs;
  } while (chooser.next());
  EXPECT_EQ(runs, 12);
  EXPECT_FALSE(chooser.complete());

  Chooser empty(5, 7, 42);
  EXPECT_EQ(empty.choose(1), 0u);
  EXPECT_FALSE(empty.next());
  EXPECT_TRUE(empty.complete());

  Chooser random = Chooser::random(4, 1);
  std::vector<std::uint64_t> values{random.choose(1000)};
  while (random.next()) values.push_back(random.choose(1000));
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[0], 0u);
  EXPECT_EQ(values[1], 999u);
}

TEST_F(SimCrashTest, UnsyncedAppendCanVanishTearOrBecomeNul) {
  must(disk_.put_file("/f", "ab"));
  append(*open("f", OpenMode::append), "cd");
  EXPECT_EQ(outcomes(disk_, CrashModel::ordered), (States{"/f=ab", "/f=abc", "/f=abcd"}));
  EXPECT_EQ(outcomes(disk_, CrashModel::ext4_nul), (States{"/f=ab", "/f=ab00", "/f=abcd"}));
  EXPECT_EQ(outcomes(disk_, CrashModel::weak), (States{"/f=ab", "/f=ab0", "/f=ab00", "/f=abc", "/f=abcd"}));
}

TEST_F(SimCrashTest, TwoAppendsSurviveInOrderWithinABlock) {
  must(disk_.put_file("/f", ""));
  auto file = open("f", OpenMode::append);
  append(*file, "a");
  append(*file, "b");
  EXPECT_EQ(outcomes(disk_, CrashModel::ordered), (States{"/f=", "/f=a", "/f=ab"}));
  const States blocks{"/f=", "/f=0", "/f=a", "/f=00", "/f=a0", "/f=ab"};
  EXPECT_EQ(outcomes(disk_, CrashModel::ext4_nul), blocks);
  EXPECT_EQ(outcomes(disk_, CrashModel::weak), blocks);
}

TEST_F(SimCrashTest, BlocksAndSectorsAreWrittenIndependently) {
  const auto run = [&](std::uint64_t unit, CrashModel model) {
    const std::string start(unit - 1, 'a');
    must(disk_.put_file("/f", start));
    append(*open("f", OpenMode::append), "bc");
    States tails;
    for (const std::string& state : outcomes(disk_, model)) {
      EXPECT_TRUE(state.starts_with("/f=" + start));
      tails.insert(state.substr(3 + start.size()));
    }
    return tails;
  };
  EXPECT_EQ(run(kSimPage, CrashModel::ext4_nul), (States{"", "00", "b0", "0c", "bc"}));
  EXPECT_EQ(run(kSimSector, CrashModel::weak), (States{"", "0", "b", "00", "b0", "0c", "bc"}));
}

TEST_F(SimCrashTest, OverwritingLeavesOldOrNewBytes) {
  must(disk_.put_file("/f", "aaa"));
  auto file = open("f", OpenMode::update);
  must(file->write_at(1, "b"));
  const States expected{"/f=aaa", "/f=aba"};
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), expected);
}

TEST_F(SimCrashTest, TruncationAndRewriteCanSurviveSeparately) {
  must(disk_.put_file("/f", "abcd"));
  auto file = open("f", OpenMode::append);
  must(file->truncate(2));
  EXPECT_EQ(outcomes(disk_, CrashModel::ordered), (States{"/f=abcd", "/f=ab"}));
  // The zeroes of the cut may reach the block before the new size reaches the journal.
  EXPECT_EQ(outcomes(disk_, CrashModel::ext4_nul), (States{"/f=abcd", "/f=ab00", "/f=ab"}));
  append(*file, "x");
  EXPECT_EQ(outcomes(disk_, CrashModel::ordered), (States{"/f=abcd", "/f=ab", "/f=abx"}));
  EXPECT_EQ(outcomes(disk_, CrashModel::ext4_nul),
            (States{"/f=abcd", "/f=ab00", "/f=abx0", "/f=ab", "/f=ab0", "/f=abx"}));
  EXPECT_EQ(outcomes(disk_, CrashModel::weak),
            (States{"/f=abcd", "/f=abc", "/f=ab00", "/f=abx0", "/f=ab", "/f=ab0", "/f=abx"}));
  must(file->sync());
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), States{"/f=abx"});
}

TEST_F(SimCrashTest, WeakModelShowsUnchangedSizeAtBothExtremes) {
  must(disk_.put_file("/f", "abc"));
  auto file = open("f", OpenMode::append);
  must(file->truncate(1));
  append(*file, "bc");
  Chooser chooser = Chooser::exhaustive();
  EXPECT_EQ(picture(*disk_.crash(CrashModel::weak, chooser)), "/f=abc");
  ASSERT_TRUE(chooser.next());
  EXPECT_EQ(picture(*disk_.crash(CrashModel::weak, chooser)), "/f=abc");
  EXPECT_EQ(outcomes(disk_, CrashModel::weak), (States{"/f=a", "/f=ab", "/f=a0", "/f=a00", "/f=abc"}));
}

TEST_F(SimCrashTest, FileIsAsDurableAsItsName) {
  auto file = open("f", OpenMode::create_append);
  append(*file, "x");
  EXPECT_EQ(outcomes(disk_, CrashModel::ordered), (States{"", "/f=", "/f=x"}));
  EXPECT_EQ(outcomes(disk_, CrashModel::ext4_nul), (States{"", "/f=", "/f=0", "/f=x"}));
  EXPECT_EQ(outcomes(disk_, CrashModel::weak), (States{"", "/f=", "/f=0", "/f=x"}));
  must(file->sync());
  EXPECT_EQ(outcomes(disk_, CrashModel::ordered), States{"/f=x"});
  EXPECT_EQ(outcomes(disk_, CrashModel::ext4_nul), States{"/f=x"});
  EXPECT_EQ(outcomes(disk_, CrashModel::weak), (States{"", "/f=x"}));  // POSIX promises no more
  must(root_->sync_directory(""));
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), States{"/f=x"});
  EXPECT_EQ(disk_.pending(), 0u);
}

TEST_F(SimCrashTest, SyncedNameWithoutDataCanBeEmpty) {
  append(*open("f", OpenMode::create_append), "x");
  must(root_->sync_directory(""));
  EXPECT_EQ(outcomes(disk_, CrashModel::ordered), States{"/f=x"});
  EXPECT_EQ(outcomes(disk_, CrashModel::ext4_nul), (States{"/f=", "/f=0", "/f=x"}));
  EXPECT_EQ(outcomes(disk_, CrashModel::weak), (States{"/f=", "/f=0", "/f=x"}));
}

TEST_F(SimCrashTest, SyncOfAnotherFileCommitsOnlyTheJournal) {
  must(disk_.put_file("/g", ""));
  append(*open("f", OpenMode::create_append), "x");
  must(open("g", OpenMode::append)->sync());
  EXPECT_EQ(outcomes(disk_, CrashModel::ordered), States{"/f=x /g="});
  EXPECT_EQ(outcomes(disk_, CrashModel::ext4_nul), (States{"/f= /g=", "/f=0 /g=", "/f=x /g="}));
  EXPECT_EQ(outcomes(disk_, CrashModel::weak), (States{"/g=", "/f= /g=", "/f=0 /g=", "/f=x /g="}));
}

TEST_F(SimCrashTest, NamesSurviveInOrderExceptInWeakModel) {
  must(disk_.put_file("/old", ""));
  must(root_->make_directory("d"));
  must(root_->make_symlink("d", "s"));
  must(root_->remove("old"));
  const States prefixes{"/old=", "/d/ /old=", "/d/ /old= /s->d", "/d/ /s->d"};
  EXPECT_EQ(outcomes(disk_, CrashModel::ordered), prefixes);
  EXPECT_EQ(outcomes(disk_, CrashModel::ext4_nul), prefixes);
  States subsets = prefixes;
  subsets.insert({"", "/d/", "/s->d", "/old= /s->d"});
  EXPECT_EQ(outcomes(disk_, CrashModel::weak), subsets);
}

TEST_F(SimCrashTest, LastSurvivingOperationDecidesTheName) {
  must(disk_.put_file("/f", "1"));
  must(root_->remove("f"));
  auto file = open("f", OpenMode::create_append);
  append(*file, "2");
  must(root_->make_link("f", "g"));
  must(root_->remove("g"));
  EXPECT_EQ(outcomes(disk_, CrashModel::weak),
            (States{"/f=1", "", "/f=", "/f=0", "/f=2", "/f=1 /g=", "/f=1 /g=0", "/f=1 /g=2", "/g=", "/g=0", "/g=2",
                    "/f= /g=", "/f=0 /g=0", "/f=2 /g=2"}));
}

TEST_F(SimCrashTest, RenamesAreAtomicAndNeverDuplicateFile) {
  must(disk_.put_file("/a", "x"));
  must(root_->rename("a", "b"));
  must(root_->rename("b", "c"));
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), (States{"/a=x", "/b=x", "/c=x"}));
  Chooser everything = Chooser::exhaustive();
  disk_.crash(CrashModel::weak, everything);
  ASSERT_TRUE(everything.next());
  auto after = disk_.crash(CrashModel::weak, everything);
  EXPECT_EQ(must(must(after->open_directory("/", false))->stat("c")).links, 1u);
}

TEST_F(SimCrashTest, RenameAcrossDirectoriesIsDurableWithDestination) {
  must(disk_.put_file("/p/a", "x"));
  must(disk_.put_file("/q/b", "y"));
  must(root_->rename("p/a", "q/b"));
  const States both{"/p/ /p/a=x /q/ /q/b=y", "/p/ /q/ /q/b=x"};
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), both);
  must(root_->sync_directory("p"));
  EXPECT_EQ(outcomes(disk_, CrashModel::weak), both);
  EXPECT_EQ(outcomes(disk_, CrashModel::ordered), States{"/p/ /q/ /q/b=x"});
  must(root_->sync_directory("q"));
  EXPECT_EQ(outcomes(disk_, CrashModel::weak), States{"/p/ /q/ /q/b=x"});
}

TEST_F(SimCrashTest, DurableNameNeverOvertakesUncertainOne) {
  must(disk_.put_file("/p/a", "x"));
  must(root_->make_directory("q"));
  must(root_->sync_directory(""));
  must(root_->rename("p/a", "q/a"));
  auto file = open("p/a", OpenMode::create_append);
  must(root_->sync_directory("p"));
  EXPECT_EQ(outcomes(disk_, CrashModel::weak), (States{"/p/ /p/a= /q/", "/p/ /p/a= /q/ /q/a=x"}));
}

TEST_F(SimCrashTest, UnsyncedModeCanBeOldOrNew) {
  auto file = open("f", OpenMode::create_append);
  must(root_->sync_directory(""));
  must(file->set_mode(0644));
  for (const CrashModel model : kAllModels) {
    std::set<std::uint32_t> modes;
    Chooser chooser = Chooser::exhaustive();
    do {
      modes.insert(must(must(disk_.crash(model, chooser)->open_directory("/", false))->stat("f")).mode);
    } while (chooser.next());
    EXPECT_EQ(modes, (std::set<std::uint32_t>{0600, 0644}));
  }
}

TEST_F(SimCrashTest, KillKeepsUnsyncedWritesAndCrashDoesNot) {
  auto file = open("f", OpenMode::create_append);
  append(*file, "x");
  ASSERT_TRUE(must(file->try_lock(LockKind::exclusive)));
  must(root_->make_link("f", "g"));
  must(root_->remove("g"));
  auto orphan = open("o", OpenMode::create_append);
  must(root_->remove("o"));
  disk_.kill();
  EXPECT_EQ(picture(disk_), "/f=x");
  for (const auto& error : {file->append("y").error(), file->stat().error(), root_->remove("f").error(),
                            root_->list("").error(), orphan->sync().error()}) {
    EXPECT_EQ(error.message, "process was killed");
    EXPECT_EQ(error.code, Code::io_error);
  }
  auto again = must(disk_.open_directory("/", false));
  auto other = must(again->open("f", OpenMode::append));
  EXPECT_TRUE(must(other->try_lock(LockKind::exclusive)));
  file.reset();
  EXPECT_EQ(outcomes(disk_, CrashModel::ordered).count(""), 1u);  // still pending
  EXPECT_EQ(must(other->append("y")), 1u);
}

// --- two small protocols at every crash point ---

// Replaces "name" through "tmp"; collects what "name" may contain after a crash following any call.
States replace(CrashModel model, bool sync_file, bool sync_names) {
  struct Collector final : SimObserver {
    void after(const SimCall&) override {
      Chooser chooser = Chooser::exhaustive();
      do {
        const auto content = disk->crash(model, chooser)->read_file("/d/name");
        found.insert(!content ? "missing" : content->find('\0') != std::string::npos ? "nul" : *content);
      } while (chooser.next());
    }
    const SimFileSystem* disk = nullptr;
    CrashModel model{};
    States found;
  };
  SimFileSystem disk;
  must(disk.put_file("/d/name", "old"));
  Collector collector;
  collector.disk = &disk;
  collector.model = model;
  disk.set_observer(&collector);
  auto dir = must(disk.open_directory("/d", false));
  auto file = must(dir->open("tmp", OpenMode::create_update));
  must(file->write_at(0, "new"));
  if (sync_file) must(file->sync());
  must(dir->rename("tmp", "name"));
  if (sync_names) must(dir->sync_directory(""));
  disk.set_observer(nullptr);
  Chooser last = Chooser::exhaustive();
  collector.found.insert("last: " + must(disk.crash(model, last)->read_file("/d/name")));
  return collector.found;
}

TEST(SimProtocolTest, RenameWithoutSyncLeavesEmptyAndNulFiles) {
  EXPECT_EQ(replace(CrashModel::ext4_nul, false, false), (States{"old", "", "nul", "new", "last: old"}));
  EXPECT_EQ(replace(CrashModel::weak, false, false), (States{"old", "", "nul", "n", "ne", "new", "last: old"}));
  // Syncing only the names is not enough.
  EXPECT_EQ(replace(CrashModel::ext4_nul, false, true), (States{"old", "", "nul", "new", "last: "}));
}

TEST(SimProtocolTest, SyncThenRenameLeavesOldOrNew) {
  for (const CrashModel model : kAllModels) {
    EXPECT_EQ(replace(model, true, true), (States{"old", "new", "last: new"}));
    EXPECT_EQ(replace(model, true, false), (States{"old", "new", "last: old"}));
  }
}

// --- long runs ---

class Workload {
 public:
  Workload(SimFileSystem& disk, std::uint64_t seed) : random_{seed}, root_(must(disk.open_directory("/", false))) {
    (void)root_->make_directory("0");
    (void)root_->make_directory("1");
  }

  void step() {
    const std::string path = name();
    switch (random_.next() % 9) {
      case 0: (void)root_->remove(path); break;
      case 1: (void)root_->rename(path, name()); break;
      case 2: (void)root_->make_link(path, name()); break;
      case 3: (void)root_->sync_directory(path.substr(0, 1)); break;
      case 4: (void)root_->sync_directory(""); break;
      default: {
        auto file = root_->open(path, OpenMode::update);
        if (!file) file = root_->open(path, OpenMode::create_update);
        if (!file) return;
        const std::uint64_t at = random_.next() % 9000;
        if (random_.next() % 4 == 0) must((*file)->truncate(at));
        must((*file)->write_at(at, std::string(random_.next() % 700, static_cast<char>('a' + at % 26))));
        if (random_.next() % 3 == 0) must((*file)->sync());
      }
    }
  }

 private:
  std::string name() { return std::string{"01"[random_.next() % 2], '/', "abcd"[random_.next() % 4]}; }

  SimRandom random_;
  std::unique_ptr<Directory> root_;
};

TEST(SimLongRunTest, FullSurvivalEqualsTheLiveTree) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SimFileSystem disk;
    Workload workload(disk, seed);
    for (int step = 0; step < 700; ++step) {
      workload.step();
      if (step % 37 != 0) continue;
      for (const CrashModel model : kAllModels) {
        Chooser chooser = Chooser::random(2, seed);
        disk.crash(model, chooser);
        (void)chooser.next();  // to "everything", unless nothing is uncertain
        ASSERT_TRUE(disk.crash(model, chooser)->same_tree(disk)) << seed << " " << step;
      }
    }
    disk.sync_all();
    EXPECT_EQ(disk.pending(), 0u);
    for (const CrashModel model : kAllModels) {
      Chooser chooser = Chooser::exhaustive();
      EXPECT_TRUE(disk.crash(model, chooser)->same_tree(disk));
      EXPECT_FALSE(chooser.next());
    }
  }
}

TEST(SimLongRunTest, CrashedDiskCanBeUsedAndCrashedAgain) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    auto disk = std::make_unique<SimFileSystem>(seed);
    must(disk->put_file("/kept", "kept"));
    for (std::uint64_t round = 0; round < 12; ++round) {
      Workload workload(*disk, seed * 100 + round);
      for (int step = 0; step < 60; ++step) workload.step();
      std::unique_ptr<SimFileSystem> after;
      Chooser chooser = Chooser::random(5, seed);
      do {
        after = disk->crash(kAllModels[round % 3], chooser);
        ASSERT_EQ(must(after->read_file("/kept")), "kept");
        ASSERT_EQ(after->pending(), 0u);
      } while (chooser.next());
      disk = std::move(after);
    }
  }
}

TEST(SimLongRunTest, SyncedPrefixesAlwaysSurvive) {
  SimFileSystem disk;
  auto root = must(disk.open_directory("/s", true));
  auto log = must(root->open("log", OpenMode::create_append));
  must(root->sync_directory(""));
  auto other = must(root->open("other", OpenMode::create_append));
  std::string safe;
  std::string all;
  SimRandom random{5};
  for (int step = 0; step < 600; ++step) {
    const std::string line(random.next() % 900 + 1, static_cast<char>('a' + step % 26));
    all += line;
    append(*log, line);
    append(*other, line);
    if (step % 3 == 0) {
      must(log->sync());
      safe = all;
    }
    for (const CrashModel model : kAllModels) {
      Chooser chooser = Chooser::random(4, random.next());
      do {
        const std::string found = must(disk.crash(model, chooser)->read_file("/s/log"));
        ASSERT_GE(found.size(), safe.size());
        ASSERT_LE(found.size(), all.size());
        ASSERT_TRUE(found.starts_with(safe));
        for (std::size_t at = safe.size(); at < found.size(); ++at) ASSERT_TRUE(found[at] == all[at] || found[at] == 0);
      } while (chooser.next());
    }
    if (step == 300) disk.sync_all();
  }
}

}  // namespace
}  // namespace holdfast::inline v1
