#include "disk/recovery.h"

#include <algorithm>
#include <utility>

#include "base/safe_name.h"
#include "base/time.h"
#include "disk/apply.h"
#include "disk/staged.h"
#include "disk/undo.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

// Opens another root of the journal, without its lock and without recovering
// it. While our journal is pending, nobody changes anything there (I-13).
Result<std::shared_ptr<Root>> attach(const Context& context, FileSystem& file_system, const JournalRoot& where) {
  RootOptions options;
  options.side = where.side;
  options.write = false;
  return Root::open(context, file_system, where.path, std::move(options));
}

// True if the directory no longer exists, never was one, or may not be entered:
// waiting for it would lock this root, perhaps forever. Anything else (a
// failing disk) is for people to fix, and the journal waits.
bool is_gone(const Error& error) {
  return is_forbidden(error) || error.code == Code::not_found || error.code == Code::unsafe_path ||
         error.code == Code::invalid_argument;
}

// Whoever can write into one root can put a journal there (for example, a
// cloned repository that contains a store). A journal affects another root only
// if that root agrees: its pointer, which is durable before the journal, names
// this root and this transaction.
Result<bool> expected_by(const Context& context, Root& other, Root& home, std::string_view transaction) {
  HOLDFAST_LET(read, read_journal(other));
  if (read.state != JournalState::pending || !read.journal.home || read.journal.transaction != transaction)
    return false;
  auto named = attach(context, home.file_system(), *read.journal.home);
  if (!named) return is_gone(named.error()) ? Result<bool>(false) : fail(std::move(named).error());
  HOLDFAST_LET(theirs, (*named)->directory().stat(""));
  HOLDFAST_LET(ours, home.directory().stat(""));
  return theirs.same_file(ours);
}

bool in_side_folder(std::string_view path, std::string_view side) {
  return path.starts_with(side) && (path.size() == side.size() || path[side.size()] == '/');
}

// Commit makes no other changes than these, so others come from damage or from an
// attacker: waiting for a "log" at the name of our own lock, for example, would never end.
bool could_be_ours(const Root& root, const Journal& journal) {
  return std::ranges::all_of(journal.changes, [&](const JournalStep& change) {
    const std::string& side = change.root == 0 ? root.options().side : journal.roots[change.root].side;
    if (!check_relative_path(change.path) || in_side_folder(change.path, side)) return false;
    if (!std::ranges::all_of(change.lines, [](const std::string& line) { return is_json_object_line(line); }))
      return false;
    return change.kind != StepKind::put || change.before == change.after ||
           (check_relative_path(change.staged) && change.staged.starts_with(side + "/tmp/"));
  });
}

// Fails with unsafe_path if no name there can ever be changed: a link, a mount
// point, or something other than a directory is on the way to it.
Result<void> check_way(Root& root, std::string_view path) {
  // Of the calls that change nothing, this one walks to a name like those that
  // change it. What is at the name does not matter.
  auto found = root.directory().read_symlink(path);
  return found || found.error().code != Code::unsafe_path ? Result<void>{} : fail(std::move(found).error());
}

// Returns what the name holds now; fails with unsafe_path if it can never be changed.
Result<Revision> target_revision(Root& root, const JournalStep& change) {
  HOLDFAST_TRY(check_way(root, change.path));
  if (change.kind != StepKind::append) return name_revision(root, change.path);
  auto log = root.directory().open(change.path, OpenMode::append);
  return log || log.error().code == Code::not_found ? Result<Revision>{} : fail(std::move(log).error());
}

// Explains why this change can never be made; empty if it can. `root` is null if
// its directory is gone.
Result<std::string_view> obstacle(Root* root, const JournalStep& change) {
  if (root == nullptr) return "an interrupted commit was to change this, but its directory is gone";
  if (!does(Step::recovery_obstacle)) return "";
  auto found = target_revision(*root, change);
  if (!found) {
    if (is_forbidden(found.error())) return "an interrupted commit was to change this, which is not permitted now";
    if (found.error().code != Code::unsafe_path) return fail(std::move(found).error());
    return "an interrupted commit was to change this, but it is not a file that may be written: it was left alone";
  }
  if (change.kind != StepKind::put || change.before == change.after || *found != change.before) return "";
  const auto staged = read_whole(root->directory(), change.staged);
  if (staged && (revision_of(*staged) == change.after || !does(Step::recovery_staged_hash))) return "";
  return "the version that an interrupted commit had prepared is gone or damaged: the old one stays";
}

// Drops the changes that can never be made; they must not block the store
// forever. The commit was never acknowledged: if none of it is visible, all of
// it is dropped; otherwise everything that can be done is done. Both cases are
// reported.
Result<Journal> drop_impossible_changes(const Context& context, const Journal& journal,
                                        std::span<const std::shared_ptr<Root>> roots, std::vector<Finding>& findings) {
  Journal rest = journal;
  rest.changes.clear();
  for (const auto& change : journal.changes) {
    HOLDFAST_LET(why, obstacle(roots[change.root].get(), change));
    if (why.empty())
      rest.changes.push_back(change);
    else
      findings.push_back({change.path, 0, 0, "journal", std::string(why), {}});
  }
  if (rest.changes.size() == journal.changes.size()) return rest;
  for (const auto& change : rest.changes) {
    HOLDFAST_LET(begun, is_partly_applied(context, *roots[change.root], change));
    if (begun && does(Step::recovery_begun)) return rest;
  }
  rest.changes.clear();
  return rest;
}

// Reports why a journal is not carried out as it is. A copy is kept because it
// is useful, but it holds nothing that was acknowledged.
void set_aside(const Context& context, Root& root, std::string consequence, std::vector<Finding>& findings) {
  Finding finding{root.side("journal"), 0, 0, "journal", std::move(consequence), {}};
  if (const auto bytes = read_whole(root.directory(), finding.file)) {
    finding.length = bytes->size();
    finding.moved_to = root.quarantine(context, finding.file, 0, *bytes, "journal").value_or("");
  }
  findings.push_back(std::move(finding));
}

// Opens the roots of a journal, null where one is gone. Returns nullopt if one
// of them does not know the journal.
Result<std::optional<std::vector<std::shared_ptr<Root>>>> roots_of(const Context& context, Root& root,
                                                                   const Journal& journal) {
  std::vector<std::shared_ptr<Root>> roots{root.shared_from_this()};
  for (std::size_t i = 1; i < journal.roots.size(); ++i) {
    auto other = attach(context, root.file_system(), journal.roots[i]);
    if (!other && !is_gone(other.error())) return fail(std::move(other).error());
    if (other) {
      HOLDFAST_LET(expected, expected_by(context, **other, root, journal.transaction));
      if (!expected && does(Step::recovery_other_root)) return std::nullopt;
    }
    roots.push_back(other ? std::move(*other) : nullptr);
  }
  return roots;
}

// The commit was never marked as done. Finishes it completely if possible,
// otherwise undoes it; if neither is possible, carries out as much as it can.
Result<void> redo(const Context& context, Root& root, const Journal& journal,
                  std::span<const std::shared_ptr<Root>> roots, std::vector<Finding>& findings) {
  OpenLogs logs;
  std::vector<Finding> undone;
  HOLDFAST_LET(rest, drop_impossible_changes(context, journal, roots, undone));
  Result<void> applied;
  if (undone.empty()) {
    applied = apply_journal(context, rest, roots, logs, findings);
    if (applied) return close_journal(root, journal.transaction, does(Step::recovery_done_sync));
    if (!is_forbidden(applied.error())) return applied;
    undone.push_back({applied.error().path, 0, 0, "journal", applied.error().message, {}});
  }
  if (!rest.changes.empty()) {
    const UndoResult back = undo_commit(context, journal, roots);
    if (back == UndoResult::later || back == UndoResult::unknown)
      return applied ? fail(Code::io_error, "a commit that cannot be completed could not be withdrawn",
                            root.side("journal"))
                     : applied;
    if (back == UndoResult::yes) rest.changes.clear();
    if (!rest.changes.empty()) {
      if (!applied) undone.clear();
      HOLDFAST_TRY(apply_journal(context, rest, roots, logs, findings, &undone));
    }
  }
  std::ranges::move(undone, std::back_inserter(findings));
  set_aside(context, root,
            rest.changes.empty() ? "a commit that cannot be completed was dropped: none of it is visible"
                                 : "a partly visible commit was finished as far as possible",
            findings);
  return close_journal(root, journal.transaction, does(Step::recovery_done_sync));
}

Result<void> discard(const Context& context, Root& root, std::string consequence, std::vector<Finding>& findings) {
  set_aside(context, root, std::move(consequence), findings);
  return close_journal(root, std::string(12, '0'), does(Step::recovery_discard_sync));
}

// A link, a directory, ...: not ours, and no commit could be written through
// it. Moves it to the quarantine as it is.
Result<bool> move_away_if_no_file(const Context& context, Root& root, std::vector<Finding>& findings) {
  const std::string path = root.side("journal");
  const auto stat = root.directory().stat(path);
  if (!stat || stat->kind == FileKind::file) return false;
  HOLDFAST_TRY(root.ensure_directory(root.side("corrupt")));
  const std::string aside =
      root.side("corrupt", compact_utc(context.clock->now()) + ".journal.0." + root.unique_name(""));
  HOLDFAST_TRY(root.directory().rename(path, aside));
  findings.push_back(
      {path, 0, stat->size, "journal", "something other than a file was in the place of the journal", 0, aside});
  return true;
}

// A pointer counts only while the journal that it points to is pending with the
// same transaction.
Result<bool> pending_at_home(const Context& context, Root& root, const Journal& pointer) {
  auto home = attach(context, root.file_system(), *pointer.home);
  if (!home) return is_gone(home.error()) ? Result<bool>(false) : fail(std::move(home).error());
  HOLDFAST_LET(read, read_journal(**home));
  // A pointer in the home root could lead into an endless chain or a cycle.
  const bool open = read.state == JournalState::pending || read.state == JournalState::undoing;
  return open && !read.journal.home &&
         (!does(Step::recovery_pointer_check) || read.journal.transaction == pointer.transaction);
}

}  // namespace

Result<std::optional<JournalRoot>> recover_commit(const Context& context, Root& root, std::vector<Finding>& findings) {
  HOLDFAST_LET(moved, move_away_if_no_file(context, root, findings));
  if (moved) return std::nullopt;
  HOLDFAST_LET(read, read_journal(root));
  switch (read.state) {
    case JournalState::none:
    case JournalState::applied: return std::nullopt;
    case JournalState::closing:
      HOLDFAST_TRY(close_journal(root, read.journal.transaction, does(Step::recovery_closing_sync)));
      return std::nullopt;
    case JournalState::damaged:
      HOLDFAST_TRY(discard(context, root,
                           "an unfinished commit journal was set aside; its commit was never acknowledged", findings));
      return std::nullopt;
    case JournalState::pending:
    case JournalState::undoing: break;
  }
  if (!read.journal.home) {
    const bool ours = !does(Step::recovery_own_changes) || could_be_ours(root, read.journal);
    std::optional<std::vector<std::shared_ptr<Root>>> roots;
    if (ours) {
      HOLDFAST_LET(known, roots_of(context, root, read.journal));
      roots = std::move(known);
    }
    if (roots) {
      HOLDFAST_TRY(read.state == JournalState::undoing ? resume_undo(read.journal, *roots, findings)
                                                       : redo(context, root, read.journal, *roots, findings));
      return std::nullopt;
    }
    HOLDFAST_TRY(discard(context, root,
                         ours ? "a commit journal was set aside: a directory that it names has no record of it"
                              : "a commit journal was set aside: it holds changes that no commit makes",
                         findings));
    return std::nullopt;
  }
  HOLDFAST_LET(pending, pending_at_home(context, root, read.journal));
  if (pending) return std::optional(*read.journal.home);
  HOLDFAST_TRY(close_journal(root, read.journal.transaction, does(Step::recovery_pointer_sync)));
  return std::nullopt;
}

Result<void> recover_home(const Context& context, Root& root, const JournalRoot& home) {
  RootOptions options;
  options.side = home.side;
  options.allow_network = root.options().allow_network;
  HOLDFAST_LET(other, Root::open(context, root.file_system(), home.path, std::move(options)));
  HOLDFAST_LET(held, other->lock(context));  // recovers, or fails with the reason why it cannot
  return {};
}

}  // namespace holdfast::inline v1
