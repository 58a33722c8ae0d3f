#include <holdfast/commit.h>

#include <cerrno>

#include "disk/journal.h"
#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

struct TwoRoots : SimStore {
  std::shared_ptr<Root> other;
  TwoRoots() {
    must(disk.put_file("/t/keep", ""));
    other = must(Root::open({}, disk, "/t"));
  }
};

TEST(Commit, AppliesAllChanges) {
  TwoRoots store;
  Commit commit(store.root);
  commit.put(store.root, "a/one.json", "{\"v\":1}", Revision(kAbsent));
  commit.put(store.other, "two.json", "{\"v\":1}");
  commit.append(store.other, "log", {R"({"n":1})", R"({"n":2})"}, LogMode::shared);
  commit.symlink(store.root, "latest", "a");
  const CommitResult result = must(commit.run({}));
  ASSERT_EQ(result.revisions.size(), 2U);
  EXPECT_EQ(result.revisions[0], revision_of("{\"v\":1}"));
  EXPECT_EQ(store.bytes("a/one.json"), "{\"v\":1}");
  EXPECT_EQ(store.disk.read_file("/t/two.json").value(), "{\"v\":1}");
  EXPECT_EQ(records(store.other->directory(), "log"), (Lines{R"({"n":1})", R"({"n":2})"}));
  EXPECT_EQ(must(store.root->directory().read_symlink("latest")), "a");
  EXPECT_FALSE(commit_pending(*store.root));
  EXPECT_FALSE(commit_pending(*store.other));
  EXPECT_TRUE(must(store.root->directory().list(store.root->side("tmp"))).empty());

  Commit second(store.root);
  second.remove(store.other, "two.json", revision_of("{\"v\":1}"));
  second.symlink(store.root, "latest", "b");
  must(second.run({}));
  EXPECT_FALSE(store.disk.exists("/t/two.json"));
  EXPECT_EQ(must(store.root->directory().read_symlink("latest")), "b");
}

TEST(Commit, ConflictChangesNothing) {
  TwoRoots store;
  must(store.disk.put_file("/t/two.json", "{\"foreign\":1}"));
  Commit commit(store.root);
  commit.put(store.root, "one.json", "{}");
  commit.put(store.other, "two.json", "{}", Revision(kAbsent));
  const auto result = commit.run({});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::conflict);
  EXPECT_EQ(result.error().path, "two.json");
  EXPECT_FALSE(store.disk.exists("/s/one.json"));
  EXPECT_TRUE(replace_document({}, *store.root, "one.json", "{}")) << "the locks are free again";
}

TEST(Commit, RejectsInvalidChangesBeforeWriting) {
  SimStore store;
  const std::uint64_t calls = store.disk.calls();
  Commit twice(store.root);
  twice.put(store.root, "a", "{}");
  twice.put(store.root, "a", "{}");
  EXPECT_EQ(twice.run({}).error().code, Code::invalid_argument);
  Commit outside(store.root);
  outside.put(store.root, "../a", "{}");
  EXPECT_EQ(outside.run({}).error().code, Code::unsafe_path);
  Commit torn(store.root);
  torn.append(store.root, "log", {"{\"a\":"});
  EXPECT_EQ(torn.run({}).error().code, Code::invalid_record);
  EXPECT_EQ(store.disk.calls(), calls);
}

// Stops the world at the first call of a kind after the journal was written.
class KillAfterJournal final : public SimObserver {
 public:
  explicit KillAfterJournal(SimCallKind kind) : kind_(kind) {}
  Injection before(const SimCall& call) override {
    if (armed_ && call.kind == kind_) return {Injection::Kind::kill_before};
    return {};
  }
  void after(const SimCall& call) override {
    armed_ = armed_ || (call.kind == SimCallKind::sync && call.path == "/s/.holdfast/journal");
  }

 private:
  SimCallKind kind_;
  bool armed_ = false;
};

TEST(Commit, NextLockOwnerFinishesCommit) {
  TwoRoots store;
  must(replace_document({}, *store.other, "two.json", "{\"v\":0}"));
  KillAfterJournal killer(SimCallKind::rename);
  store.disk.set_observer(&killer);
  Commit commit(store.root);
  commit.put(store.root, "one.json", "{\"v\":1}");
  commit.put(store.other, "two.json", "{\"v\":1}");
  EXPECT_FALSE(commit.run({}));
  store.disk.set_observer(nullptr);
  EXPECT_EQ(store.disk.read_file("/t/two.json").value(), "{\"v\":0}");
  // Opens the other root, never the one with the journal.
  auto other = must(Root::open({}, store.disk, "/t"));
  EXPECT_EQ(store.disk.read_file("/t/two.json").value(), "{\"v\":1}");
  EXPECT_EQ(store.bytes("one.json"), "{\"v\":1}");
  must(replace_document({}, *other, "two.json", "{\"v\":2}", {.expected = revision_of("{\"v\":1}")}));
  auto root = must(Root::open({}, store.disk, "/s"));
  EXPECT_EQ(store.disk.read_file("/t/two.json").value(), "{\"v\":2}") << "done once, not again";
}

TEST(Commit, PlantedJournalCannotReachAnotherRoot) {
  TwoRoots store;
  must(store.disk.put_file("/t/log", "{\"n\":1}\n"));
  Journal planted;
  planted.transaction = "abcdefghijkl";
  planted.roots = {{"/s", ".holdfast"}, {"/t", ".holdfast"}};
  JournalStep change;
  change.kind = StepKind::append;
  change.root = 1;
  change.path = "log";
  change.mode = LogMode::shared;
  change.lines = {"{\"planted\":1}"};
  planted.changes = {change};
  must(write_pending(*store.root, planted));
  auto root = must(Root::open({}, store.disk, "/s"));
  EXPECT_EQ(store.disk.read_file("/t/log").value(), "{\"n\":1}\n");
  ASSERT_EQ(root->findings().size(), 1U);
  EXPECT_EQ(root->findings()[0].kind, "journal");
  EXPECT_FALSE(root->findings()[0].moved_to.empty());
  must(replace_document({}, *root, "one.json", "{\"v\":1}"));
}

TEST(Commit, ForeignEditIsAConflictAndKeepsBothVersions) {
  SimStore store;
  must(replace_document({}, *store.root, "one.json", "{\"v\":0}"));
  KillAfterJournal killer(SimCallKind::rename);
  store.disk.set_observer(&killer);
  Commit commit(store.root);
  commit.put(store.root, "one.json", "{\"v\":1}");
  commit.put(store.root, "two.json", "{\"v\":1}");
  EXPECT_FALSE(commit.run({}));
  store.disk.set_observer(nullptr);
  must(store.disk.put_file("/s/one.json", "{\"editor\":1}"));
  auto root = store.again();
  EXPECT_EQ(store.bytes("one.json"), "{\"editor\":1}");
  EXPECT_EQ(store.bytes("two.json"), "{\"v\":1}");
  ASSERT_EQ(root->findings().size(), 1U);
  EXPECT_EQ(root->findings()[0].kind, "conflict");
  EXPECT_EQ(store.bytes(root->findings()[0].moved_to), "{\"v\":1}");
}

TEST(Commit, FailedJournalSyncIsRolledBack) {
  SimStore store;
  must(replace_document({}, *store.root, "one.json", "{\"v\":0}"));
  struct Failer final : SimObserver {
    Injection before(const SimCall& call) override {
      if (call.kind != SimCallKind::sync || call.path != "/s/.holdfast/journal" || done) return {};
      done = true;
      return {Injection::Kind::fail, EIO};
    }
    bool done = false;
  } failer;
  store.disk.set_observer(&failer);
  Commit commit(store.root);
  commit.put(store.root, "one.json", "{\"v\":1}");
  const auto result = commit.run({});
  store.disk.set_observer(nullptr);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().os_error, EIO);
  auto root = store.again();
  EXPECT_EQ(store.bytes("one.json"), "{\"v\":0}");
}

TEST(Commit, StoreOpensWhenRecoveryFails) {
  SimStore store;
  KillAfterJournal killer(SimCallKind::rename);
  store.disk.set_observer(&killer);
  Commit commit(store.root);
  commit.put(store.root, "one.json", "{\"v\":1}");
  EXPECT_FALSE(commit.run({}));
  OneFault full(SimCallKind::rename, {Injection::Kind::fail, ENOSPC});
  store.disk.set_observer(&full);
  auto root = store.again();
  EXPECT_EQ(root->findings().size(), 1U);
  EXPECT_EQ(root->findings()[0].kind, "recovery");
  store.disk.set_observer(nullptr);
  must(replace_document({}, *root, "other", "{}"));
  EXPECT_EQ(store.bytes("one.json"), "{\"v\":1}") << "the next change finishes it";
}

// Until the journal is closed, nobody else may change what it names (I-13).
TEST(Commit, LocksAreHeldUntilJournalIsClosed) {
  TwoRoots store;
  struct Looker final : SimObserver {
    explicit Looker(SimFileSystem& given) : disk(given) {}
    void look() {
      for (const char* root : {"/s/.holdfast", "/t/.holdfast"}) {
        auto file = must(must(disk.open_directory(root, false))->open("lock", OpenMode::update));
        free += must(file->try_lock(LockKind::exclusive)) ? 1 : 0;
      }
      ++looks;
    }
    Injection before(const SimCall& call) override {
      const bool journal = call.path == "/s/.holdfast/journal";
      writes += journal && call.kind == SimCallKind::write_at ? 1 : 0;
      if (writes > 0) look();  // from the commit point to the last sync of the journal
      if (writes == 2 && journal && call.kind == SimCallKind::sync) writes = -1000;
      return {};
    }
    SimFileSystem& disk;
    int writes = 0;
    int looks = 0;
    int free = 0;
  } looker(store.disk);
  must(replace_document({}, *store.root, "one.json", "{}"));
  must(replace_document({}, *store.other, "two.json", "{}"));
  store.disk.set_observer(&looker);
  Commit commit(store.root);
  commit.put(store.root, "one.json", "{\"v\":1}");
  commit.put(store.other, "two.json", "{\"v\":1}");
  must(commit.run({}));
  store.disk.set_observer(nullptr);
  EXPECT_GT(looker.looks, 4);
  EXPECT_LT(looker.writes, 0) << "the journal was closed, and synced";
  EXPECT_EQ(looker.free, 0);
}

TEST(Commit, UnchangedDocumentIsNotRewritten) {
  SimStore store;
  must(replace_document({}, *store.root, "one.json", "{\"v\":1}"));
  const auto before = must(store.root->directory().stat("one.json"));
  Commit commit(store.root);
  commit.put(store.root, "one.json", "{\"v\":1}");
  commit.put(store.root, "two.json", "{\"v\":1}");
  must(commit.run({}));
  EXPECT_TRUE(must(store.root->directory().stat("one.json")).same_file(before));
}

// Such a journal could be neither finished nor undone.
TEST(Commit, UnwritableNamesAreRefusedBeforeTheJournal) {
  SimStore store;
  must(store.disk.put_file("/s/folder/file", "{}"));
  must(store.root->directory().make_symlink("folder", "link"));
  for (const char* path : {"link/x", "keep/x"}) {
    Commit commit(store.root);
    commit.put(store.root, "one.json", "{}");
    commit.put(store.root, path, "{}");
    EXPECT_EQ(commit.run({}).error().code, Code::unsafe_path) << path;
  }
  Commit nested(store.root);
  nested.put(store.root, "a/b", "{}");
  nested.put(store.root, "a", "{}");
  EXPECT_EQ(nested.run({}).error().code, Code::invalid_argument);
  EXPECT_EQ(store.bytes("one.json"), "<none>");
  EXPECT_TRUE(store.again()->findings().empty());
  must(replace_document({}, *store.root, "one.json", "{}"));
}

}  // namespace
}  // namespace holdfast::inline v1
