// Things that somebody else added or removed: journals that no commit wrote, pointers to
// other commits, a missing root, a side folder that is deleted while a process waits for
// its lock, a directory that was removed after it was made.
#include <holdfast/append_log.h>

#include <algorithm>
#include <cerrno>

#include "disk/journal.h"
#include "disk/staged.h"
#include "sim_interleaving.h"
#include "sim_parts.h"
#include "sim_world.h"

namespace holdfast::lab {
namespace {

constexpr const char* kOld = "{\"v\":0}";
constexpr const char* kNew = "{\"v\":1}";

class Planted {
 public:
  Planted(std::string name, Outcome& outcome) : name_(std::move(name)), outcome_(outcome) {
    for (const char* root : {"/a", "/b"}) {
      (void)disk_.put_file(std::string(root) + "/one.json", kOld);
      (void)disk_.put_file(std::string(root) + "/.holdfast/tmp/new.x", kNew);
      (void)disk_.put_file(std::string(root) + "/.holdfast/lock", "");
    }
    ++outcome_.cases;
  }

  SimFileSystem& disk() { return disk_; }

  std::shared_ptr<Root> open(const char* path) {
    auto root = Root::open({}, disk_, path);
    if (!root) broken(std::string("cannot open ") + path + ": " + root.error().text(), &Outcome::unopenable);
    return root ? *root : nullptr;
  }

  // Opens without recovering anything.
  std::shared_ptr<Root> look(const char* path) { return *Root::open({}, disk_, path, {.write = false}); }

  void write(const char* root, const Journal& journal) {
    if (auto written = write_pending(*look(root), journal); !written) broken(written.error().text());
  }

  void works(const char* path) {
    const auto root = open(path);
    if (root == nullptr) return;
    if (auto done = replace_document({}, *root, "probe.json", "{}"); !done)
      broken(std::string(path) + " cannot be changed any more: " + done.error().text(), &Outcome::unopenable);
  }

  void holds(const char* path, const std::string& bytes) {
    if (disk_.read_file(path).value_or("") != bytes)
      broken(std::string(path) + " holds " + disk_.read_file(path).value_or("nothing"));
  }

  void broken(const std::string& how, std::uint64_t Outcome::* count = &Outcome::wrong) {
    outcome_.fail(count, name_ + ": " + how);
  }

  // A power loss in which only synced data survives.
  void lose_power() {
    auto nothing = Chooser::random(1, 0);
    auto after = disk_.crash(CrashModel::weak, nothing);
    std::swap(*after, disk_);
  }

 private:
  const std::string name_;
  Outcome& outcome_;
  SimFileSystem disk_;
};

Journal journal_of(const std::vector<const char*>& roots, const char* transaction = "abcdefghijkl") {
  Journal journal;
  journal.transaction = transaction;
  for (const char* root : roots) journal.roots.push_back({root, ".holdfast"});
  return journal;
}

JournalStep put(std::size_t root, const char* path = "one.json") {
  JournalStep change;
  change.kind = StepKind::put;
  change.root = root;
  change.path = path;
  change.before = revision_of(kOld);
  change.after = revision_of(kNew);
  change.staged = ".holdfast/tmp/new.x";
  return change;
}

JournalStep append(std::size_t root, const char* path) {
  JournalStep change;
  change.kind = StepKind::append;
  change.root = root;
  change.path = path;
  change.lines = {"{\"n\":1}"};
  return change;
}

Journal pointer_to(const char* home, const char* transaction = "abcdefghijkl") {
  Journal pointer;
  pointer.transaction = transaction;
  pointer.home = JournalRoot{home, ".holdfast"};
  return pointer;
}

// Write access to one root must not give access to another.
void strange_root(Outcome& outcome) {
  Planted planted("a journal that names a root which knows nothing of it", outcome);
  Journal journal = journal_of({"/a", "/b"});
  journal.changes = {put(0), put(1)};
  planted.write("/a", journal);
  planted.works("/a");
  planted.works("/b");
  planted.holds("/b/one.json", kOld);
}

void strange_change(Outcome& outcome) {
  for (const char* path : {".holdfast/lock", ".holdfast/leases/x"}) {
    Planted planted("a journal with a change that no commit makes", outcome);
    Journal journal = journal_of({"/a"});
    journal.changes = {append(0, path)};
    planted.write("/a", journal);
    planted.works("/a");
    planted.holds("/a/.holdfast/lock", "");
    planted.holds("/a/.holdfast/leases/x", "");
  }
}

// It must not block the root forever, and must not be half done.
void impossible_change(Outcome& outcome) {
  Planted planted("a journal with a change that can never be made", outcome);
  (void)planted.disk().put_file("/a/folder/file", "{}");
  Journal journal = journal_of({"/a"});
  journal.changes = {put(0), put(0, "folder")};
  planted.write("/a", journal);
  planted.works("/a");
  planted.holds("/a/one.json", kOld);
}

void begun_change(Outcome& outcome) {
  Planted planted("a journal whose prepared version is gone after the first change was visible", outcome);
  (void)planted.disk().put_file("/a/one.json", kNew);
  (void)planted.disk().put_file("/a/two.json", kOld);
  JournalStep lost = put(0, "two.json");
  lost.staged = ".holdfast/tmp/new.gone";
  Journal journal = journal_of({"/a"});
  journal.changes = {put(0), append(0, "log"), lost};
  planted.write("/a", journal);
  planted.works("/a");
  planted.holds("/a/log", "{\"n\":1}\n");
}

// Only the version that the journal names gets the name.
void other_staged(Outcome& outcome) {
  Planted planted("a prepared version that is another", outcome);
  (void)planted.disk().put_file("/a/.holdfast/tmp/new.x", "{\"v\":7}");
  Journal journal = journal_of({"/a"});
  journal.changes = {put(0)};
  planted.write("/a", journal);
  planted.works("/a");
  planted.holds("/a/one.json", kOld);
}

// Either the previous version is put back, or the commit is finished as far as possible.
void other_backup(Outcome& outcome) {
  Planted planted("a journal that cannot be done, and a backup of another version", outcome);
  (void)planted.disk().put_file("/a/one.json", kNew);
  (void)planted.disk().put_file("/a/two.json", kOld);
  (void)planted.disk().put_file("/a/" + backup_path(*planted.look("/a"), "one.json"), "{\"v\":7}");
  JournalStep lost = put(0, "two.json");
  lost.staged = ".holdfast/tmp/new.gone";
  Journal journal = journal_of({"/a"});
  journal.changes = {put(0), lost};
  planted.write("/a", journal);
  planted.works("/a");
  planted.holds("/a/one.json", kNew);
}

// A foreign program changed the document before it was put back.
void changed_before_undo(Outcome& outcome) {
  Planted planted("a document that was changed while a commit was taken back", outcome);
  (void)planted.disk().put_file("/a/one.json", "{\"v\":5}");
  (void)planted.disk().put_file("/a/" + backup_path(*planted.look("/a"), "one.json"), kOld);
  Journal journal = journal_of({"/a"});
  journal.changes = {put(0)};
  planted.write("/a", journal);
  if (auto undone = write_undo(*planted.look("/a"), journal); !undone) planted.broken(undone.error().text());
  planted.works("/a");
  planted.holds("/a/one.json", "{\"v\":5}");
}

// A journal that was set aside is not carried out later, when it looks valid.
void discarded(Outcome& outcome) {
  Planted planted("a journal that was set aside", outcome);
  Journal journal = journal_of({"/a", "/b"});
  journal.changes = {put(0)};
  planted.write("/a", journal);
  planted.disk().sync_all();
  planted.works("/a");  // sets it aside: the other root does not know it
  planted.holds("/a/one.json", kOld);
  const auto top = planted.disk().open_directory("/", false);
  (void)(*top)->rename("b", "away");
  (void)(*top)->sync_directory("");
  planted.lose_power();
  planted.works("/a");
  planted.holds("/a/one.json", kOld);
}

// A foreign program changed the document after the crash.
void changed_since(Outcome& outcome) {
  Planted planted("a document that was changed while a commit was interrupted", outcome);
  (void)planted.disk().put_file("/a/one.json", "{\"v\":5}");
  Journal journal = journal_of({"/a"});
  journal.changes = {put(0)};
  planted.write("/a", journal);
  planted.works("/a");
  planted.holds("/a/one.json", "{\"v\":5}");
}

// The commit of the pointer was done, and its home has begun another one that does not include this root.
void other_transaction(Outcome& outcome) {
  Planted planted("a pointer to a journal that is another by now", outcome);
  (void)planted.disk().put_file("/c/keep", "");
  Journal journal = journal_of({"/a", "/c"}, "zzzzzzzzzzzz");
  journal.changes = {put(0)};
  planted.write("/b", pointer_to("/a"));
  planted.write("/c", pointer_to("/a", "zzzzzzzzzzzz"));
  planted.write("/a", journal);
  const auto home = planted.look("/a");
  auto lock = home->directory().open(".holdfast/lock", OpenMode::update);
  const bool held = lock && (*lock)->try_lock(LockKind::exclusive).value_or(false);
  const JumpingClock clock;
  const auto root = Root::open({{}, {}, &clock}, planted.disk(), "/b");
  if (!held || !root) return planted.broken("waits for a commit that is none of its business", &Outcome::unopenable);
  const auto done = replace_document({{}, {}, &clock}, **root, "probe.json", "{}");
  if (!done) planted.broken("waits for a commit that is none of its business: " + done.error().text());
}

// The other root was away (a disk that was not mounted) and comes back after a
// power loss: what was given up without it must stay given up.
void root_that_comes_back(Outcome& outcome) {
  Planted planted("a pointer whose home comes back", outcome);
  Journal journal = journal_of({"/a", "/b"});
  journal.changes = {put(0), put(1)};
  planted.write("/b", pointer_to("/a"));
  planted.write("/a", journal);
  planted.disk().sync_all();
  const auto top = planted.disk().open_directory("/", false);
  (void)(*top)->rename("a", "away");
  (void)(*top)->sync_directory("");
  planted.works("/b");  // gives up
  if (const auto root = planted.open("/b"))
    if (auto done = replace_document({}, *root, "one.json", "{\"v\":9}"); !done) planted.broken(done.error().text());
  planted.lose_power();
  const auto again = planted.disk().open_directory("/", false);
  (void)(*again)->rename("away", "a");
  planted.works("/a");
  planted.works("/b");
  planted.holds("/a/one.json", kOld);
  planted.holds("/b/one.json", "{\"v\":9}");
}

// A person, or a program that tidies up, removes empty directories.
void removed_folder(Outcome& outcome) {
  Planted planted("a directory that was removed since it was made", outcome);
  const auto root = planted.open("/a");
  if (root == nullptr) return;
  for (int round = 0; round < 2; ++round) {
    if (auto done = replace_document({}, *root, "sub/deep/x.json", std::to_string(round)); !done)
      planted.broken(done.error().text());
    (void)root->directory().remove("sub/deep/x.json");
    (void)root->directory().remove_directory("sub/deep");
    (void)root->directory().remove_directory("sub");
    (void)root->directory().remove_directory(".holdfast/tmp");
  }
}

// The side folder is deleted while one process waits for the lock in it: a third
// one recreates it and gets the lock of a new file.
std::uint64_t deleted_side(std::uint64_t deleted_at, std::uint64_t third_at, Outcome& outcome) {
  Planted planted("the side folder is deleted at call " + std::to_string(deleted_at) + ", a third one comes at call " +
                      std::to_string(third_at),
                  outcome);
  (void)planted.disk().put_file("/a/count.json", count_text(0));
  InterleavingFileSystem way(planted.disk());
  const JumpingClock clocks[2];
  const auto increment = [&](FileSystem& through, const Clock& clock) -> Result<void> {
    const Context context{{}, {}, &clock};
    HOLDFAST_LET(root, Root::open(context, through, "/a"));
    while (true) {
      HOLDFAST_LET(loaded, load_document(context, *root, "count.json"));
      const std::string next = loaded.bytes == count_text(0) ? count_text(1) : count_text(2);
      auto done = replace_document(context, *root, "count.json", next, {.expected = loaded.revision});
      if (done) return {};
      if (done.error().code != Code::conflict) return fail(std::move(done).error());
    }
  };
  way.meet(deleted_at, [&] {
    const auto directory = planted.disk().open_directory("/a/.holdfast", false);
    if (!directory) return;
    auto lock = (*directory)->open("lock", OpenMode::update);
    if (!lock || !(*lock)->try_lock(LockKind::exclusive).value_or(false)) return;  // not while it is held
    for (const char* name : {"tmp/new.x", "lock"}) (void)(*directory)->remove(name);
    for (const auto& entry : (*directory)->list("").value_or(std::vector<DirectoryEntry>{}))
      (void)(*directory)->remove_directory(entry.name);
    const auto above = planted.disk().open_directory("/a", false);
    (void)(*above)->remove_directory(".holdfast");
  });
  int done = 0;
  way.meet(third_at, [&] {
    const auto third = increment(planted.disk(), clocks[1]);
    if (third) ++done;
    if (!third && third.error().code != Code::busy) planted.broken("the third one: " + third.error().text());
  });
  const auto first = increment(way, clocks[0]);
  if (first) ++done;
  if (!first) planted.broken("the first one: " + first.error().text());
  planted.holds("/a/count.json", count_text(static_cast<std::uint64_t>(done)));
  return way.calls();
}

// A program that knows nothing of locks appends to a log of ours after half of
// one of our records: that half must not be cut off any more (I-4).
std::uint64_t line_behind_half_a_record(std::uint64_t at, Outcome& outcome) {
  Planted planted("a foreign line behind a short write, at call " + std::to_string(at), outcome);
  struct Full final : SimObserver {
    Injection before(const SimCall& call) override {
      if (call.kind == SimCallKind::truncate) cut_at = way->calls();
      if (call.kind != SimCallKind::append || call.path != "/a/log") return {};
      return writes++ == 0 ? Injection{Injection::Kind::short_write, ENOSPC} : Injection{Injection::Kind::fail, ENOSPC};
    }
    int writes = 0;
    InterleavingFileSystem* way = nullptr;
    std::uint64_t cut_at = UINT64_MAX;
  } full;
  InterleavingFileSystem way(planted.disk());
  full.way = &way;
  const JumpingClock clock;
  const Context context{{}, {}, &clock};
  (void)planted.disk().put_file("/a/log", "{\"n\":0}\n");
  LogOptions options;
  options.sync_interval = {};
  auto root = Root::open(context, way, "/a");
  auto log = root ? AppendLog::open(context, *root, "log", options) : fail(root.error());
  if (!log) {
    planted.broken(log.error().text(), &Outcome::unopenable);
    return 0;
  }
  const std::uint64_t begin = way.calls();
  way.meet(begin + at, [&] { (void)planted.disk().foreign_append("/a/log", "{\"foreign\":1}\n"); });
  planted.disk().set_observer(&full);
  if ((*log)->append(context, "{\"n\":1,\"long\":\"enough to be cut in two\"}")) planted.broken("a full disk took it");
  planted.disk().set_observer(nullptr);
  const std::uint64_t calls = way.calls() - begin;
  way.clear_visits();
  // Between the check and the cut this cannot be prevented.
  if (at < calls && begin + at + 1 != full.cut_at &&
      !planted.disk().read_file("/a/log").value_or("").contains("{\"foreign\":1}\n"))
    planted.broken("the foreign line is gone", &Outcome::lost);
  return calls;
}

// After a failed sync, ext4 may accept bytes that are written again and then
// read back zeros (measured). What reads back differently is not repaired.
void reads_back_zeros(Outcome& outcome) {
  Planted planted("a shared log that reads back as zeros after it was written again", outcome);
  struct Forgetful final : ForwardingFile {
    using ForwardingFile::ForwardingFile;
    Result<void> drop_cache() override {
      ++dropped;
      return ForwardingFile::drop_cache();
    }
    Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
      auto count = ForwardingFile::read_at(offset, into);
      if (count && dropped > 1) std::ranges::fill(into.first(*count), '\0');
      return count;
    }
    int dropped = 0;
  };
  struct Sick final : SimObserver {
    Injection before(const SimCall& call) override {
      if (call.kind != SimCallKind::sync || !due) return {};
      due = false;
      return {Injection::Kind::fail, EIO};
    }
    bool due = false;
  } sick;
  struct ForgetfulDirectory final : ForwardingDirectory {
    using ForwardingDirectory::ForwardingDirectory;
    Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override {
      HOLDFAST_LET(file, ForwardingDirectory::open(path, mode));
      return std::make_unique<Forgetful>(std::move(file));
    }
  };
  struct ForgetfulSystem final : FileSystem {
    explicit ForgetfulSystem(FileSystem& given) : inner(given) {}
    Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override {
      HOLDFAST_LET(directory, inner.open_directory(path, create));
      return std::make_unique<ForgetfulDirectory>(std::move(directory));
    }
    Result<FileSystemKind> kind_of(std::string_view path) override { return inner.kind_of(path); }
    std::uint64_t entropy() override { return inner.entropy(); }
    FileSystem& inner;
  } way(planted.disk());
  LogOptions options;
  options.mode = LogMode::shared;
  options.sync_interval = {};
  auto root = Root::open({}, way, "/a");
  auto log = root ? AppendLog::open({}, *root, "log", options) : fail(root.error());
  if (!log) return planted.broken(log.error().text(), &Outcome::unopenable);
  planted.disk().set_observer(&sick);
  sick.due = true;
  if ((*log)->append({}, "{\"n\":1}")) planted.broken("acknowledged over a failed sync");
  if ((*log)->append({}, "{\"n\":2}")) planted.broken("acknowledged over bytes that read back as zeros");
  log->reset();
  planted.disk().set_observer(nullptr);
}

}  // namespace

void run_planted(Outcome& outcome) {
  for (void (*each)(Outcome&) : {&strange_root, &strange_change, &impossible_change, &begun_change, &other_staged,
                                 &other_backup, &changed_before_undo, &discarded, &changed_since, &other_transaction,
                                 &root_that_comes_back, &removed_folder, &reads_back_zeros})
    each(outcome);
  std::uint64_t writes = 1;
  for (std::uint64_t at = 0; at < writes; ++at) writes = std::max(writes, line_behind_half_a_record(at, outcome));
  std::uint64_t calls = 1;
  for (std::uint64_t deleted = 0; deleted < calls; ++deleted)
    for (std::uint64_t third = deleted; third < calls; ++third)
      calls = std::max(calls, deleted_side(deleted, third, outcome));
}

}  // namespace holdfast::lab
