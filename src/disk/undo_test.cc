// A commit that cannot be carried out completely: what is refused is not
// carried out later, and blocks nobody else (I-11).
#include "disk/undo.h"

#include <holdfast/commit.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "disk/real_testing.h"
#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

const std::string kOld = "{\"v\":0}";
const std::string kNew = "{\"v\":1}";

// Names that cannot be changed, as if their folder were not writable.
class Forbidden : public SimObserver {
 public:
  explicit Forbidden(std::string name, int error = EACCES) : name_(std::move(name)), error_(error) {}
  Injection before(const SimCall& call) override {
    const bool changes = call.kind == SimCallKind::rename || call.kind == SimCallKind::remove;
    const std::string& target = call.to.empty() ? call.path : call.to;
    if (call.kind == SimCallKind::append && call.path == name_) return {Injection::Kind::fail, error_};
    if (changes && target == name_) {
      hit = true;
      return {Injection::Kind::fail, error_};
    }
    return {};
  }
  bool hit = false;

 private:
  std::string name_;
  int error_;
};

struct UndoStore : SimStore {
  UndoStore() {
    for (const char* name : {"one.json", "two.json", "gone.json"}) must(replace_document({}, *root, name, kOld));
    must(root->directory().make_symlink("a", "link"));
    disk.sync_all();
  }

  Result<CommitResult> commit() {
    Commit commit(root);
    commit.append(root, "log", {R"({"n":1})"});
    commit.put(root, "one.json", kNew);
    commit.put(root, "new.json", kNew);
    commit.remove(root, "gone.json");
    commit.symlink(root, "link", "b");
    commit.put(root, "two.json", kNew);
    return commit.run({});
  }
};

// 0: as before the commit; 1: all of it; -1: anything else.
int seen(SimFileSystem& disk) {
  const auto read = [&](const char* path) { return disk.read_file(path).value_or("<none>"); };
  std::string all;
  for (const char* path : {"/s/one.json", "/s/new.json", "/s/gone.json", "/s/two.json", "/s/log"})
    all += read(path) + "|";
  const auto link = must(disk.open_directory("/s", false))->read_symlink("link");
  all += link ? *link : "<none>";
  if (all == kOld + "|<none>|" + kOld + "|" + kOld + "||a" ||
      all == kOld + "|<none>|" + kOld + "|" + kOld + "|<none>|a")
    return 0;
  if (all == kNew + "|" + kNew + "|<none>|" + kNew + "|{\"n\":1}\n|b") return 1;
  ADD_FAILURE() << all;
  return -1;
}

TEST(Undo, RefusedCommitIsNotAppliedLater) {
  for (const char* name : {"/s/one.json", "/s/new.json", "/s/gone.json", "/s/link", "/s/two.json", "/s/log"}) {
    UndoStore store;
    Forbidden forbidden(name);
    store.disk.set_observer(&forbidden);
    const auto refused = store.commit();
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, Code::permission_denied) << name;
    EXPECT_FALSE(commit_pending(*store.root));
    EXPECT_EQ(seen(store.disk), 0) << name;
    must(replace_document({}, *store.root, "other.json", kNew));
    EXPECT_EQ(seen(store.disk), 0) << name;
    store.disk.set_observer(nullptr);
    must(replace_document({}, *store.root, "other.json", kOld));
    EXPECT_TRUE(store.again()->findings().empty());
    EXPECT_EQ(seen(store.disk), 0) << name;
    must(store.commit());
    EXPECT_EQ(seen(store.disk), 1) << name;
    EXPECT_TRUE(must(store.root->directory().list(store.root->side("tmp"))).empty());
  }
}

// A power loss at any moment of a refused commit, and of its recovery.
class CrashEverywhere final : public Forbidden {
 public:
  CrashEverywhere(SimFileSystem& disk, std::string name) : Forbidden(std::move(name)), disk_(disk) {}
  void after(const SimCall&) override { look(false); }

  void look(bool refused) {
    for (const CrashModel model : kAllModels) {
      Chooser chooser = Chooser(40, 10, ++seed_);
      do {
        const auto booted = disk_.crash(model, chooser);
        const auto root = must(Root::open({}, *booted, "/s"));
        const int found = seen(*booted);
        EXPECT_GE(found, 0);
        EXPECT_TRUE(!refused || found == 0) << "what was refused was done";
        EXPECT_FALSE(commit_pending(*root));
        must(replace_document({}, *root, "other.json", kNew));
      } while (chooser.next() && !testing::Test::HasFailure());
    }
  }

 private:
  SimFileSystem& disk_;
  std::uint64_t seed_ = 0;
};

TEST(Undo, PowerLossAtAnyMomentLeavesAllOrNothing) {
  for (const char* name : {"/s/two.json", "/s/log", "/s/gone.json"}) {
    UndoStore store;
    CrashEverywhere crash(store.disk, name);
    store.disk.set_observer(&crash);
    EXPECT_FALSE(store.commit());
    store.disk.set_observer(nullptr);
    crash.look(true);
  }
}

// Fails the first sync of a kind, counted from the moment something was forbidden.
class ForbiddenAndUnsynced final : public Forbidden {
 public:
  ForbiddenAndUnsynced(std::string name, int skip) : Forbidden(std::move(name)), skip_(skip) {}
  Injection before(const SimCall& call) override {
    if (hit && (call.kind == SimCallKind::sync || call.kind == SimCallKind::sync_directory) && skip_-- == 0)
      return {Injection::Kind::fail, EIO};
    return Forbidden::before(call);
  }
  bool used() const { return skip_ < 0; }

 private:
  int skip_;
};

TEST(Undo, FailedSyncDuringUndoIsNotTrusted) {
  for (int skip = 0;; ++skip) {
    ASSERT_LT(skip, 30);
    UndoStore store;
    ForbiddenAndUnsynced fault("/s/two.json", skip);
    store.disk.set_observer(&fault);
    const auto refused = store.commit();
    ASSERT_FALSE(refused);
    const bool used = fault.used();
    store.disk.set_observer(nullptr);
    must(replace_document({}, *store.root, "other.json", kNew));
    const int found = seen(store.disk);
    EXPECT_TRUE(refused.error().code != Code::permission_denied || found == 0) << skip;
    for (const CrashModel model : kAllModels) {
      Chooser chooser = Chooser(40, 10, 1);
      do {
        const auto booted = store.disk.crash(model, chooser);
        must(Root::open({}, *booted, "/s"));
        EXPECT_EQ(seen(*booted), found) << skip;
      } while (chooser.next() && !HasFailure());
    }
    if (!used) break;
  }
}

TEST(Undo, AppendedLineMakesCommitUnfinishedNotRefused) {
  UndoStore store;
  Forbidden forbidden("/s/second.log", ENOSPC);
  store.disk.set_observer(&forbidden);
  Commit commit(store.root);
  commit.append(store.root, "first.log", {R"({"n":1})"});
  commit.append(store.root, "second.log", {R"({"n":2})"});
  commit.put(store.root, "one.json", kNew);
  const auto result = commit.run({});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::unfinished);
  store.disk.set_observer(nullptr);
  must(replace_document({}, *store.root, "other.json", kNew));
  EXPECT_EQ(records(store.root->directory(), "first.log"), (Lines{R"({"n":1})"}));
  EXPECT_EQ(records(store.root->directory(), "second.log"), (Lines{R"({"n":2})"}));
  EXPECT_EQ(store.bytes("one.json"), kNew);
}

// Keeps a copy of the disk as it is when the journal is durable.
class AtTheCommitPoint final : public SimObserver {
 public:
  explicit AtTheCommitPoint(SimFileSystem& disk) : disk_(disk) {}
  void after(const SimCall& call) override {
    if (!caught && call.kind == SimCallKind::sync && call.path == "/s/.holdfast/journal") caught = disk_.clone();
  }
  std::unique_ptr<SimFileSystem> caught;

 private:
  SimFileSystem& disk_;
};

// The owner died, and the folder is not writable when the next process comes.
TEST(Undo, InterruptedCommitInUnwritableFolderIsUndone) {
  for (const char* name : {"/s/two.json", "/s/one.json", "/s/log"}) {
    UndoStore store;
    AtTheCommitPoint point(store.disk);
    store.disk.set_observer(&point);
    must(store.commit());
    SimFileSystem& disk = *point.caught;
    Forbidden forbidden(name);
    disk.set_observer(&forbidden);
    const auto root = must(Root::open({}, disk, "/s"));
    EXPECT_FALSE(root->findings().empty());
    must(replace_document({}, *root, "other.json", kNew));
    disk.set_observer(nullptr);
    must(replace_document({}, *root, "other.json", kOld));
    EXPECT_EQ(seen(disk), 0) << name;
    store.disk.set_observer(nullptr);
  }
}

TEST(Undo, PendingLineOfUnwritableLogIsSetAside) {
  UndoStore store;
  Forbidden forbidden("/s/second.log");
  store.disk.set_observer(&forbidden);
  Commit commit(store.root);
  commit.append(store.root, "first.log", {R"({"n":1})"});
  commit.append(store.root, "second.log", {R"({"n":2})"});
  EXPECT_EQ(commit.run({}).error().code, Code::unfinished);
  must(replace_document({}, *store.root, "other.json", kNew));
  store.disk.set_observer(nullptr);
  const auto findings = store.root->findings();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].file, "second.log");
  EXPECT_TRUE(store.bytes(findings[1].moved_to).contains("second.log"));
}

// On a real disk, as a user without write permission there.
TEST(Undo, UnwritableFolderIsDetectedBeforeCommitPoint) {
  const TemporaryDirectory directory;
  const auto root = must(Root::open({}, real_file_system(), directory.path()));
  must(replace_document({}, *root, "one.json", kOld));
  must(replace_document({}, *root, "closed/two.json", kOld));
  constexpr uid_t kSomebody = 65534;
  const bool root_user = ::geteuid() == 0;
  if (root_user) {
    for (const char* name :
         {"", "one.json", "closed", "closed/two.json", ".holdfast", ".holdfast/lock", ".holdfast/tmp"})
      ASSERT_EQ(::chown(directory.path(name).c_str(), kSomebody, kSomebody), 0) << name;
    ASSERT_EQ(::seteuid(kSomebody), 0);
  }
  ASSERT_EQ(::chmod(directory.path("closed").c_str(), 0555), 0);
  {
    Commit commit(root);
    commit.put(root, "one.json", kNew);
    commit.put(root, "closed/two.json", kNew);
    const auto refused = commit.run({});
    EXPECT_CODE(refused, Code::permission_denied);
    EXPECT_FALSE(root->directory().exists(".holdfast/journal")) << "there was nothing to take back";
    EXPECT_OK(replace_document({}, *root, "other.json", kNew));
    EXPECT_EQ(must(load_document({}, *root, "one.json")).bytes, kOld);
  }
  EXPECT_EQ(::chmod(directory.path("closed").c_str(), 0755), 0);
  EXPECT_TRUE(!root_user || ::seteuid(0) == 0);
}

}  // namespace
}  // namespace holdfast::inline v1
