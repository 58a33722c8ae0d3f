// Recovery when the journal, or something that it needs, is damaged or hostile.
#include <holdfast/commit.h>

#include <cerrno>

#include "disk/journal.h"
#include "disk/real_testing.h"
#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

// Keeps a copy of the disk as it is when a commit has made its journal durable,
// or when its first change has become visible.
class Catcher final : public SimObserver {
 public:
  Catcher(SimFileSystem& disk, SimCallKind kind, std::string to) : disk_(disk), kind_(kind), to_(std::move(to)) {}
  void after(const SimCall& call) override {
    if (!caught && call.kind == kind_ && (call.path == to_ || call.to == to_)) caught = disk_.clone();
  }
  std::unique_ptr<SimFileSystem> caught;

 private:
  SimFileSystem& disk_;
  SimCallKind kind_;
  std::string to_;
};

std::unique_ptr<SimFileSystem> interrupted(SimCallKind kind, const std::string& to) {
  SimStore store;
  must(replace_document({}, *store.root, "one.json", "{\"v\":0}"));
  must(replace_document({}, *store.root, "two.json", "{\"v\":0}"));
  Catcher catcher(store.disk, kind, to);
  store.disk.set_observer(&catcher);
  Commit commit(store.root);
  commit.put(store.root, "one.json", "{\"v\":1}");
  commit.put(store.root, "two.json", "{\"v\":1}");
  commit.append(store.root, "log", {R"({"n":1})"});
  must(commit.run({}));
  store.disk.set_observer(nullptr);
  return std::move(catcher.caught);
}

void empty_tmp(SimFileSystem& disk) {
  const auto directory = must(disk.open_directory("/s/.holdfast/tmp", false));
  for (const auto& entry : must(directory->list(""))) must(directory->remove(entry.name));
}

TEST(Recovery, CommitWithMissingStagedFilesIsDropped) {
  const auto disk = interrupted(SimCallKind::sync, "/s/.holdfast/journal");
  empty_tmp(*disk);
  const auto root = must(Root::open({}, *disk, "/s"));
  EXPECT_EQ(root->findings().size(), 3U);
  EXPECT_EQ(disk->read_file("/s/one.json").value(), "{\"v\":0}");
  EXPECT_EQ(disk->read_file("/s/two.json").value(), "{\"v\":0}");
  EXPECT_EQ(records(root->directory(), "log"), Lines{});
  must(replace_document({}, *root, "one.json", "{\"v\":2}"));
}

TEST(Recovery, PartlyVisibleCommitIsRolledBack) {
  const auto disk = interrupted(SimCallKind::rename, "/s/one.json");
  empty_tmp(*disk);
  const auto root = must(Root::open({}, *disk, "/s"));
  ASSERT_EQ(root->findings().size(), 2U);
  EXPECT_EQ(root->findings()[0].file, "two.json");
  EXPECT_EQ(disk->read_file("/s/one.json").value(), "{\"v\":0}");
  EXPECT_EQ(disk->read_file("/s/two.json").value(), "{\"v\":0}");
  EXPECT_EQ(records(root->directory(), "log"), Lines{});
  must(replace_document({}, *root, "two.json", "{\"v\":2}"));
}

// A line cannot be undone.
TEST(Recovery, CommitWithVisibleLineIsFinishedWherePossible) {
  const auto disk = interrupted(SimCallKind::append, "/s/log");
  must(disk->put_file("/s/two.json", "{\"v\":0}"));
  empty_tmp(*disk);
  const auto root = must(Root::open({}, *disk, "/s"));
  ASSERT_EQ(root->findings().size(), 2U);
  EXPECT_EQ(root->findings()[0].file, "two.json");
  EXPECT_EQ(disk->read_file("/s/one.json").value(), "{\"v\":1}");
  EXPECT_EQ(disk->read_file("/s/two.json").value(), "{\"v\":0}");
  EXPECT_EQ(records(root->directory(), "log"), (Lines{R"({"n":1})"}));
  must(replace_document({}, *root, "two.json", "{\"v\":2}"));
}

// Otherwise the next boot would apply it again, over data that was acknowledged since.
TEST(Recovery, FinishedCommitStaysFinishedAfterPowerLoss) {
  const auto disk = interrupted(SimCallKind::sync, "/s/.holdfast/journal");
  const auto root = must(Root::open({}, *disk, "/s"));
  EXPECT_EQ(disk->read_file("/s/one.json").value(), "{\"v\":1}");
  must(replace_document({}, *root, "one.json", "{\"v\":0}"));
  for (const CrashModel model : kAllModels) {
    Chooser chooser(200, 20, 1);
    do {
      const auto booted = disk->crash(model, chooser);
      EXPECT_TRUE(must(Root::open({}, *booted, "/s"))->findings().empty());
      EXPECT_EQ(booted->read_file("/s/one.json").value(), "{\"v\":0}");
    } while (chooser.next() && !HasFailure());
  }
}

// A second sync of the same file could not be trusted (I-7).
TEST(Recovery, FailedClosingSyncDoesNotReplayJournal) {
  const auto disk = interrupted(SimCallKind::sync, "/s/.holdfast/journal");
  struct Failer final : SimObserver {
    Injection before(const SimCall& call) override {
      const bool fails =
          call.kind == SimCallKind::sync && call.path == "/s/.holdfast/journal" && !std::exchange(done, true);
      return fails ? Injection{Injection::Kind::fail, EIO} : Injection{};
    }
    bool done = false;
  } failer;
  disk->set_observer(&failer);
  const auto root = must(Root::open({}, *disk, "/s"));
  must(replace_document({}, *root, "one.json", "{\"v\":0}"));
  disk->set_observer(nullptr);
  EXPECT_TRUE(failer.done);
  auto nothing = Chooser::random(1, 0);
  const auto booted = disk->crash(CrashModel::weak, nothing);
  must(Root::open({}, *booted, "/s"));
  EXPECT_EQ(booted->read_file("/s/one.json").value(), "{\"v\":0}");
}

// Records what happened to the journal and to visible names, in order.
class Diary final : public SimObserver {
 public:
  Injection before(const SimCall& call) override {
    const bool fails = fail_journal && call.kind == SimCallKind::sync && call.path == "/s/.holdfast/journal";
    if (fails) fail_journal = false;
    return fails ? Injection{Injection::Kind::fail, EIO} : Injection{};
  }
  void after(const SimCall& call) override {
    if (call.kind == SimCallKind::create && call.path == "/s/.holdfast/journal") text += "create ";
    if (call.kind == SimCallKind::sync_directory && call.path == "/s/.holdfast") text += "name ";
    if (call.kind == SimCallKind::rename && call.to == "/s/one.json") text += "visible";
  }
  bool fail_journal = false;
  std::string text;
};

TEST(Recovery, RecreatedJournalHasDurableName) {
  SimStore store;
  Diary diary;
  store.disk.set_observer(&diary);
  for (int i = 0; i < 5; ++i) {
    diary.fail_journal = i == 3;
    diary.text.clear();
    Commit commit(store.root);
    commit.put(store.root, "one.json", std::to_string(i));
    EXPECT_EQ(commit.run({}).has_value(), i != 3);
  }
  EXPECT_EQ(diary.text, "create name visible") << "the name of the file before it was durable, not this one's";
  store.disk.set_observer(nullptr);
}

TEST(Recovery, JournalWithForbiddenPathIsSetAside) {
  for (const char* path : {".holdfast/lock", ".holdfast", "../s/log", "/s/log", ""}) {
    SimStore store;
    must(store.disk.put_file("/s/.holdfast/lock", ""));
    Journal journal;
    journal.transaction = "abcdefghijkl";
    journal.roots = {{"/s", ".holdfast"}};
    JournalStep change;
    change.kind = StepKind::append;
    change.path = path;
    change.lines = {R"({"n":1})"};
    journal.changes = {change};
    must(write_pending(*store.root, journal));
    const auto root = store.again();
    ASSERT_EQ(root->findings().size(), 1U) << path;
    EXPECT_EQ(store.bytes(root->findings()[0].moved_to).size(), root->findings()[0].length);
    EXPECT_EQ(store.bytes(".holdfast/lock"), "");
    must(replace_document({}, *root, "one.json", "{}"));
  }
}

// One change was dropped, and a complete copy of the journal is in the quarantine.
void expect_set_aside(SimFileSystem& disk, const Root& root, const std::string& left_out) {
  const auto findings = root.findings();
  ASSERT_EQ(findings.size(), 2U) << left_out;
  EXPECT_EQ(findings[0].file, left_out);
  const std::string copy = disk.read_file("/s/" + findings[1].moved_to).value_or("");
  EXPECT_TRUE(copy.contains("pending"));
  EXPECT_EQ(copy.size(), findings[1].length);
}

// A commit over two roots, as it was when its journal was durable, or when its
// change in the first root was visible.
std::unique_ptr<SimFileSystem> interrupted_over_two(SimCallKind kind, const std::string& to) {
  SimStore store;
  must(store.disk.put_file("/t/keep", ""));
  const auto other = must(Root::open({}, store.disk, "/t"));
  must(replace_document({}, *store.root, "one.json", "{\"v\":0}"));
  Catcher catcher(store.disk, kind, to);
  store.disk.set_observer(&catcher);
  Commit commit(store.root);
  commit.put(store.root, "one.json", "{\"v\":1}");
  commit.append(store.root, "log", {R"({"n":1})"});
  commit.put(other, "two.json", "{\"v\":1}");
  must(commit.run({}));
  store.disk.set_observer(nullptr);
  return std::move(catcher.caught);
}

// Permanently removes the second root.
void delete_tree(SimFileSystem& disk, const std::string& path) {
  const auto directory = must(disk.open_directory(path, false));
  for (const auto& entry : must(directory->list(""))) {
    if (entry.kind == FileKind::directory) {
      delete_tree(disk, path + "/" + entry.name);
      must(directory->remove_directory(entry.name));
    } else {
      must(directory->remove(entry.name));
    }
  }
}

TEST(Recovery, CommitIntoMissingRootIsDropped) {
  const auto disk = interrupted_over_two(SimCallKind::sync, "/s/.holdfast/journal");
  delete_tree(*disk, "/t");
  must(must(disk->open_directory("/", false))->remove_directory("t"));
  const auto root = must(Root::open({}, *disk, "/s"));
  expect_set_aside(*disk, *root, "two.json");
  EXPECT_EQ(disk->read_file("/s/one.json").value(), "{\"v\":0}");
  EXPECT_EQ(records(root->directory(), "log"), Lines{});
  must(replace_document({}, *root, "one.json", "{\"v\":2}"));
  EXPECT_TRUE(must(Root::open({}, *disk, "/s"))->findings().empty());
}

TEST(Recovery, VisibleCommitIntoMissingRootIsFinishedLocally) {
  const auto disk = interrupted_over_two(SimCallKind::rename, "/s/one.json");
  delete_tree(*disk, "/t");
  must(must(disk->open_directory("/", false))->remove_directory("t"));
  const auto root = must(Root::open({}, *disk, "/s"));
  expect_set_aside(*disk, *root, "two.json");
  EXPECT_EQ(disk->read_file("/s/one.json").value(), "{\"v\":1}");
  EXPECT_EQ(records(root->directory(), "log"), (Lines{R"({"n":1})"}));
  must(replace_document({}, *root, "one.json", "{\"v\":2}"));
}

JournalStep planted(StepKind kind, const std::string& path) {
  JournalStep change;
  change.kind = kind;
  change.path = path;
  change.before = std::string(kAbsent);
  change.after = kind == StepKind::symlink ? "link:x" : revision_of("{}");
  change.staged = ".holdfast/tmp/new.x";
  change.target = "x";
  change.lines = {R"({"n":1})"};
  return change;
}

// The target is a directory, a link, below a link, or below a file.
TEST(Recovery, ImpossibleJournalIsSetAside) {
  for (const StepKind kind : {StepKind::put, StepKind::append, StepKind::symlink, StepKind::remove})
    for (const char* path : {"folder", "link/x", "file/x"}) {
      SimStore store;
      must(store.disk.put_file("/s/folder/file", "{}"));
      must(store.disk.put_file("/s/file", "text"));
      must(store.root->directory().make_symlink("folder", "link"));
      must(store.disk.put_file("/s/.holdfast/tmp/new.x", "{}"));
      Journal journal;
      journal.transaction = "abcdefghijkl";
      journal.roots = {{"/s", ".holdfast"}};
      journal.changes = {planted(StepKind::append, "log"), planted(kind, path)};
      must(write_pending(*store.root, journal));
      const auto root = store.again();
      expect_set_aside(store.disk, *root, path);
      EXPECT_FALSE(root->directory().exists("log")) << "half of it was done";
      EXPECT_EQ(store.bytes("folder/file"), "{}");
      must(replace_document({}, *root, "one.json", "{}"));
      EXPECT_TRUE(store.again()->findings().empty());
    }
}

// A real disk reports the same situations with other errors.
TEST(Recovery, ImpossibleJournalIsSetAsideOnRealDisk) {
  for (const StepKind kind : {StepKind::put, StepKind::append, StepKind::symlink, StepKind::remove})
    for (const std::string path : {"folder", "link/x", "file/x", "gone"}) {
      const TemporaryDirectory directory;
      const auto root = must(Root::open({}, real_file_system(), directory.path()));
      must(root->ensure_directory("folder/below"));
      must(root->ensure_directory(".holdfast/tmp"));
      for (const char* name : {"file", ".holdfast/tmp/new.x"})
        must(must(root->directory().open(name, OpenMode::create_update))->write_at(0, "{}"));
      must(root->directory().make_symlink("folder", "link"));
      Journal journal;
      journal.transaction = "abcdefghijkl";
      journal.roots = {{directory.path(), ".holdfast"}, {directory.path("gone"), ".holdfast"}};
      journal.changes = {planted(StepKind::append, "log"), planted(kind, path)};
      if (path == "gone")
        journal.changes[1].root = 1;
      else
        journal.roots.pop_back();
      must(write_pending(*root, journal));
      const auto again = must(Root::open({}, real_file_system(), directory.path()));
      ASSERT_EQ(again->findings().size(), 2U) << path;
      EXPECT_EQ(again->findings()[0].file, path);
      EXPECT_EQ(must(again->directory().stat(again->findings()[1].moved_to)).size, again->findings()[1].length);
      EXPECT_FALSE(again->directory().exists("log")) << "half of it was done";
      must(replace_document({}, *again, "one.json", "{}"));
      EXPECT_TRUE(must(Root::open({}, real_file_system(), directory.path()))->findings().empty());
    }
}

TEST(Recovery, NonFileInPlaceOfJournalIsMovedAside) {
  for (const bool link : {false, true}) {
    SimStore store;
    must(replace_document({}, *store.root, "one.json", "{}"));
    must(store.disk.put_file("/s/elsewhere", ""));
    if (link)
      must(store.root->directory().make_symlink("../elsewhere", ".holdfast/journal"));
    else
      must(store.disk.put_file("/s/.holdfast/journal/file", "text"));
    const auto root = store.again();
    ASSERT_EQ(root->findings().size(), 1U);
    EXPECT_TRUE(root->directory().exists(root->findings()[0].moved_to));
    Commit commit(root);
    commit.put(root, "one.json", "{\"v\":1}");
    must(commit.run({}));
    EXPECT_EQ(store.bytes("elsewhere"), "");
  }
}

// In lock order, the home may come before any root that the next commit has locked by then (I-19).
TEST(Recovery, CommitWithAnotherHomeIsFinishedByTheNextCommit) {
  SimStore store;  // the home, and the first in lock order
  must(store.disk.put_file("/t/keep", ""));
  must(store.disk.put_file("/u/keep", ""));
  const auto between = must(Root::open({}, store.disk, "/t"));
  const auto pointing = must(Root::open({}, store.disk, "/u"));
  must(replace_document({}, *pointing, "old.json", "{}"));

  Journal journal;
  journal.transaction = "abcdefghijkl";
  journal.roots = {{"/s", ".holdfast"}, {"/u", ".holdfast"}};
  JournalStep& step = journal.changes.emplace_back();
  step.kind = StepKind::remove;
  step.root = 1;
  step.path = "old.json";
  step.before = revision_of("{}");
  step.after = must(name_revision(*pointing, "no.json"));
  Journal pointer;
  pointer.transaction = journal.transaction;
  pointer.home = journal.roots[0];
  must(write_pending(*pointing, pointer));
  must(write_pending(*store.root, journal));

  Commit commit(between);
  commit.put(between, "one.json", "{}");
  commit.put(pointing, "two.json", "{}");
  must(commit.run({}));
  EXPECT_FALSE(pointing->directory().exists("old.json")) << "the first commit was not finished";
  EXPECT_TRUE(pointing->directory().exists("two.json"));
}

TEST(Recovery, CircularPointersAreIgnored) {
  SimStore store;
  must(store.disk.put_file("/t/keep", ""));
  const auto other = must(Root::open({}, store.disk, "/t"));
  Journal pointer;
  pointer.transaction = "abcdefghijkl";
  for (const char* home : {"/s", "/t"}) {
    pointer.home = JournalRoot{home, ".holdfast"};
    must(write_pending(*store.root, pointer));
    pointer.home = JournalRoot{"/s", ".holdfast"};
    must(write_pending(*other, pointer));
    const auto root = must(Root::open({}, store.disk, "/s"));
    must(replace_document({}, *root, "one.json", home));
    must(replace_document({}, *must(Root::open({}, store.disk, "/t")), "one.json", home));
  }
}

}  // namespace
}  // namespace holdfast::inline v1
