#include <holdfast/commit.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/safe_name.h"
#include "base/utf8.h"
#include "disk/apply.h"
#include "disk/poison.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "disk/undo.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

struct Planned {
  JournalStep change;
  std::string bytes;                 // put
  std::optional<Revision> expected;  // put, remove
  std::uint32_t mode = 0600;         // put
};

}  // namespace

struct HOLDFAST_HIDDEN Commit::Impl {
  struct Member {
    std::shared_ptr<Root> root;
    FileStat identity;
  };

  struct Unlocker {
    Impl& impl;
    ~Unlocker() { impl.locks.clear(); }
  };

  std::vector<Member> members;  // the first is the home root
  std::vector<RootLock> locks;
  std::vector<Planned> plan;
  OpenLogs logs;
  Journal journal;
  bool ran = false;

  std::size_t member(const std::shared_ptr<Root>& root);
  Planned& add(const std::shared_ptr<Root>& root, StepKind kind, std::string path);

  Result<void> check() const;
  Result<void> open_logs(const Context& context);
  Result<void> lock_all(const Context& context);
  Result<void> prepare(const Context& context);
  Result<void> stage();
  Result<void> write_journals();
  Error refused(const Context& context, Error cause);
  Result<void> finish();
  void drop_all_staged();
  std::vector<std::shared_ptr<Root>> roots() const;
};

// Two Root objects for the same directory are one root, because the lock belongs to the directory.
std::size_t Commit::Impl::member(const std::shared_ptr<Root>& root) {
  const auto identity = root->directory().stat("");
  for (std::size_t i = 0; i < members.size(); ++i)
    if (members[i].root == root || (identity && members[i].identity.same_file(*identity))) return i;
  members.push_back({root, identity.value_or(FileStat{})});
  return members.size() - 1;
}

Planned& Commit::Impl::add(const std::shared_ptr<Root>& root, StepKind kind, std::string path) {
  Planned planned;
  planned.change.kind = kind;
  planned.change.root = member(root);
  planned.change.path = std::move(path);
  return plan.emplace_back(std::move(planned));
}

Result<void> Commit::Impl::check() const {
  std::set<std::pair<std::size_t, std::string_view>> names;
  for (const auto& [change, bytes, expected, mode] : plan) {
    HOLDFAST_TRY(check_relative_path(change.path));
    if (const std::string& side = members[change.root].root->options().side;
        change.path == side || change.path.starts_with(side + "/"))
      return fail(Code::invalid_argument, "a commit must not change the side folder", change.path);
    if (!is_utf8(change.path) || !is_utf8(change.target))
      return fail(Code::invalid_argument, "a path in a commit must be UTF-8", change.path);
    if (!names.emplace(change.root, change.path).second)
      return fail(Code::invalid_argument, "a commit must change each name only once", change.path);
    if (change.kind == StepKind::append && change.lines.empty())
      return fail(Code::invalid_argument, "nothing to append", change.path);
    for (const auto& line : change.lines)
      if (!is_json_object_line(line))
        return fail(Code::invalid_record, "a record must be one JSON object without raw control bytes", change.path);
  }
  for (const auto& [root, path] : names)
    for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
      if (names.contains({root, path.substr(0, slash)}))
        return fail(Code::invalid_argument, "a commit must change either a name or names below it, not both",
                    std::string(path));
  return {};
}

// Runs before the locks are taken: mending a poisoned log takes the root's lock itself.
Result<void> Commit::Impl::open_logs(const Context& context) {
  for (const auto& planned : plan) {
    const JournalStep& change = planned.change;
    if (change.kind != StepKind::append) continue;
    const auto& root = members[change.root].root;
    LogOptions options;
    options.mode = change.mode;
    HOLDFAST_LET(log, LogFile::open(context, root, change.path, options));
    if (const Poison poison(*root, change.path); does(Step::commit_mend) && poison.marked(*root))
      HOLDFAST_TRY(poison.mend(context, log));
    logs.emplace(std::pair(change.root, change.path), std::move(log));
  }
  return {};
}

Result<void> Commit::Impl::lock_all(const Context& context) {
  std::vector<Root*> each;
  for (const auto& member : members) each.push_back(member.root.get());
  HOLDFAST_LET(held, Root::lock_all(context, each));
  locks = std::move(held);
  return {};
}

// Reads the present state; changes nothing except the torn tail of a log of ours.
Result<void> Commit::Impl::prepare(const Context& context) {
  for (auto& [change, bytes, expected, mode] : plan) {
    Root& root = *members[change.root].root;
    if (change.kind == StepKind::append) {
      LogFile& log = logs.at({change.root, change.path});
      HOLDFAST_TRY(log.lock(context));
      auto repaired = log.repair_tail(context);
      auto from = log.size();
      log.unlock();
      if (!repaired) return fail(std::move(repaired).error());
      // Everything before `from` must be durable. Otherwise recovery could find the
      // log shorter, write our line before `from`, and not find it the next time.
      if (auto synced = does(Step::commit_from_sync) ? log.shared_file()->sync() : Result<void>{}; !synced) {
        (void)Poison(root, change.path).mark(root, 0);
        return fail(std::move(synced).error());
      }
      if (does(Step::commit_from_check) && Poison(root, change.path).marked(root))
        return fail(Code::poisoned, "another process could not sync this log; nothing was changed", change.path);
      if (!from) return fail(std::move(from).error());
      change.from = *from;
      continue;
    }
    HOLDFAST_LET(before, name_revision(root, change.path));
    if (does(Step::document_revision) && expected && before != *expected)
      return fail(Code::conflict, "changed by somebody else: expected " + *expected + ", found " + before, change.path);
    if (change.kind == StepKind::symlink && before != kAbsent && !before.starts_with("link:"))
      return fail(Code::already_exists, "there is a file where the symbolic link should be", change.path);
    change.before = std::move(before);
    if (change.kind == StepKind::put) change.after = revision_of(bytes);
    if (change.kind == StepKind::remove) change.after = kAbsent;
    if (change.kind == StepKind::symlink) change.after = "link:" + change.target;
  }
  return {};
}

Result<void> Commit::Impl::stage() {
  std::set<std::size_t> staged_in;
  for (auto& [change, bytes, expected, mode] : plan) {
    Root& root = *members[change.root].root;
    const auto slash = change.path.rfind('/');
    const auto folder = std::string_view(change.path).substr(0, slash == std::string::npos ? 0 : slash);
    HOLDFAST_TRY(root.ensure_directory(folder));
    if (change.kind == StepKind::append || change.before == change.after) continue;
    HOLDFAST_TRY(root.directory().check_writable(folder));
    if (change.kind != StepKind::put) continue;
    HOLDFAST_LET(staged, stage_file(root, bytes, next_mode(root, change.path, mode), Step::commit_staged_sync));
    change.staged = std::move(staged);
    staged_in.insert(change.root);
  }
  if (!does(Step::commit_staged_names)) return {};
  for (const std::size_t index : staged_in) {
    Root& root = *members[index].root;
    HOLDFAST_TRY(root.directory().sync_directory(root.side("tmp")));
  }
  return {};
}

// The commit point: nothing has changed before it; after it, everything will be changed (I-11).
Result<void> Commit::Impl::write_journals() {
  journal = Journal{};
  journal.transaction = members[0].root->unique_name("");
  for (const auto& each : members) journal.roots.push_back({each.root->path(), each.root->options().side});
  for (const auto& planned : plan) journal.changes.push_back(planned.change);
  if (does(Step::commit_pointer)) {
    Journal pointer;
    pointer.transaction = journal.transaction;
    pointer.home = journal.roots[0];
    for (std::size_t i = 1; i < members.size(); ++i) HOLDFAST_TRY(write_pending(*members[i].root, pointer));
  }
  return write_pending(*members[0].root, journal);
}

// Must be durable before the locks are released: a later change of one of these
// names must not meet this journal again (I-13).
Result<void> Commit::Impl::finish() {
  if (!does(Step::commit_done_mark)) return {};
  if (auto closed = close_journal(*members[0].root, journal.transaction, does(Step::commit_done_sync)); !closed)
    return fail(Error{Code::unfinished,
                      "the commit is in place, but its journal could not be closed: " + closed.error().message,
                      closed.error().path, closed.error().os_error});
  // Not synced: a pointer to a journal that is done has no effect.
  for (std::size_t i = 1; i < members.size(); ++i) (void)write_applied(*members[i].root, journal.transaction, false);
  return {};
}

// Handles a change that fails after the commit point. What is reported as refused must not
// be carried out later, and what will be carried out must not be reported as refused (I-11).
Error Commit::Impl::refused(const Context& context, Error cause) {
  if (cause.code == Code::durability_unknown) return cause;  // all is in place; the next lock owner repeats it
  Context uncancelled;  // undo even if the caller was cancelled, because it needs to know the outcome
  uncancelled.clock = context.clock;
  switch (undo_commit(uncancelled, journal, roots())) {
    case UndoResult::yes:
      drop_all_staged();
      for (std::size_t i = 1; i < members.size(); ++i)
        (void)write_applied(*members[i].root, journal.transaction, false);
      return cause;
    case UndoResult::later: return cause;
    case UndoResult::no:
      cause.code = Code::unfinished;
      cause.message = "committed but not complete; the next change here finishes it: " + cause.message;
      return cause;
    case UndoResult::unknown: break;
  }
  cause.code = Code::durability_unknown;
  cause.message = "a commit could be neither completed nor undone; it may still happen: " + cause.message;
  return cause;
}

void Commit::Impl::drop_all_staged() {
  for (const auto& planned : plan)
    if (!planned.change.staged.empty()) drop_staged(*members[planned.change.root].root, planned.change.staged);
}

std::vector<std::shared_ptr<Root>> Commit::Impl::roots() const {
  std::vector<std::shared_ptr<Root>> all;
  for (const auto& each : members) all.push_back(each.root);
  return all;
}

Commit::Commit(std::shared_ptr<Root> home) : impl_(std::make_unique<Impl>()) { impl_->member(home); }
Commit::~Commit() = default;

void Commit::put(std::shared_ptr<Root> root, std::string path, std::string bytes, std::optional<Revision> expected,
                 std::uint32_t mode) {
  Planned& planned = impl_->add(root, StepKind::put, std::move(path));
  planned.bytes = std::move(bytes);
  planned.expected = std::move(expected);
  planned.mode = mode;
}

void Commit::remove(std::shared_ptr<Root> root, std::string path, std::optional<Revision> expected) {
  impl_->add(root, StepKind::remove, std::move(path)).expected = std::move(expected);
}

void Commit::append(std::shared_ptr<Root> root, std::string path, std::vector<std::string> records, LogMode mode) {
  JournalStep& change = impl_->add(root, StepKind::append, std::move(path)).change;
  change.lines = std::move(records);
  change.mode = mode;
}

void Commit::symlink(std::shared_ptr<Root> root, std::string path, std::string target) {
  impl_->add(root, StepKind::symlink, std::move(path)).change.target = std::move(target);
}

Result<CommitResult> Commit::run(const Context& context) {
  Impl& impl = *impl_;
  HOLDFAST_TRY(context.check());
  if (std::exchange(impl.ran, true)) return fail(Code::invalid_argument, "a commit can run only once", {});
  HOLDFAST_TRY(impl.check());
  HOLDFAST_TRY(impl.open_logs(context));
  const Impl::Unlocker unlocker{impl};
  HOLDFAST_TRY(impl.lock_all(context));
  HOLDFAST_TRY(impl.prepare(context));
  if (auto staged = impl.stage(); !staged) {
    impl.drop_all_staged();
    return fail(std::move(staged).error());
  }
  if (auto written = impl.write_journals(); !written) {
    // Half a journal does not count, and a whole one that may not be synced
    // must not count either: withdraw it before anybody reads it. Withdraw
    // pointers too, so the next ones get new files with new names (I-7).
    for (std::size_t i = 1; i < impl.members.size(); ++i)
      (void)take_back(*impl.members[i].root, impl.journal.transaction);
    if (auto undone = take_back(*impl.members[0].root, impl.journal.transaction); !undone)
      return fail(Error{
          Code::durability_unknown,
          "the journal could be neither written nor withdrawn; the commit may still happen: " + written.error().message,
          written.error().path, written.error().os_error});
    impl.drop_all_staged();
    return fail(std::move(written).error());
  }
  std::vector<Finding> findings;
  if (auto applied = apply_journal(context, impl.journal, impl.roots(), impl.logs, findings); !applied)
    return fail(impl.refused(context, std::move(applied).error()));
  if (!does(Step::commit_locks_held)) impl.locks.clear();
  HOLDFAST_TRY(impl.finish());
  CommitResult result;
  for (const auto& planned : impl.plan)
    if (planned.change.kind == StepKind::put) result.revisions.push_back(planned.change.after);
  for (const auto& finding : findings)
    if (finding.kind == "conflict")
      return fail(Code::conflict, "the rest of the commit is done, but here " + finding.consequence, finding.file);
  return result;
}

}  // namespace holdfast::inline v1
