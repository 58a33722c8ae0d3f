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

// A root of the journal other than its own: no lock, no recovery of its own.
// While our journal is pending nobody changes anything there (I-13).
Result<std::shared_ptr<Root>> attach(const Context& context, FileSystem& file_system, const JournalRoot& where) {
  RootOptions options;
  options.side = where.side;
  options.write = false;
  return Root::open(context, file_system, where.path, std::move(options));
}

// The directory is not there any more, never was one, or may not be entered:
// waiting for it would lock this root, perhaps forever. Anything else (a
// failing disk) is for people to fix, and the journal waits.
bool is_gone(const Error& error) {
  return is_forbidden(error) || error.code == Code::not_found || error.code == Code::unsafe_path ||
         error.code == Code::invalid_argument;
}

// Who can write into one root can put a journal there (a cloned repository with
// a store in it). It reaches into another root only when that one says so too:
// its pointer, which is durable before the journal, names this root and this
// transaction.
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

// Commit makes no other changes, so they come from damage or from somebody
// hostile: a log at the name of our own lock would be waited for in vain.
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

// unsafe_path when no name there can ever be changed: a link, a mount point, or
// something else than a directory is on the way to it.
Result<void> check_way(Root& root, std::string_view path) {
  // Of the calls that change nothing, the one that walks to a name as those do
  // that change it. What it finds there is not the question.
  auto found = root.directory().read_symlink(path);
  return found || found.error().code != Code::unsafe_path ? Result<void>{} : fail(std::move(found).error());
}

// What it holds now; unsafe_path when it can never be changed.
Result<Revision> target_revision(Root& root, const JournalStep& change) {
  HOLDFAST_TRY(check_way(root, change.path));
  if (change.kind != StepKind::append) return name_revision(root, change.path);
  auto log = root.directory().open(change.path, OpenMode::append);
  return log || log.error().code == Code::not_found ? Result<Revision>{} : fail(std::move(log).error());
}

// Why this change can never be made, in words; empty when it can. `root` is null
// when its directory is gone.
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

// Leaves the changes out that can never be made; they must not block the store
// forever. The commit was never acknowledged: when nothing of it is visible it
// is dropped as a whole, else everything is done that can be. Either way it is
// reported.
Result<Journal> without_the_impossible(const Context& context, const Journal& journal,
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
    HOLDFAST_LET(begun, has_begun(context, *roots[change.root], change));
    if (begun && does(Step::recovery_begun)) return rest;
  }
  rest.changes.clear();
  return rest;
}

// Says why a journal is not done as it stands. A copy is useful, but it holds
// nothing that was acknowledged.
void set_aside(const Context& context, Root& root, std::string consequence, std::vector<Finding>& findings) {
  Finding finding{root.side("journal"), 0, 0, "journal", std::move(consequence), {}};
  if (const auto bytes = read_whole(root.directory(), finding.file)) {
    finding.length = bytes->size();
    finding.moved_to = root.quarantine(context, finding.file, 0, *bytes, "journal").value_or("");
  }
  findings.push_back(std::move(finding));
}

// The roots of a journal, null where one is gone. nullopt: one of them knows
// nothing of it.
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

// The commit was never called done. Done now, as a whole if that is possible,
// else taken back; what can be neither is done as far as it goes.
Result<void> redo(const Context& context, Root& root, const Journal& journal,
                  std::span<const std::shared_ptr<Root>> roots, std::vector<Finding>& findings) {
  OpenLogs logs;
  std::vector<Finding> undone;
  HOLDFAST_LET(rest, without_the_impossible(context, journal, roots, undone));
  Result<void> applied;
  if (undone.empty()) {
    applied = apply_journal(context, rest, roots, logs, findings);
    if (applied) return close_journal(root, journal.transaction, does(Step::recovery_done_sync));
    if (!is_forbidden(applied.error())) return applied;
    undone.push_back({applied.error().path, 0, 0, "journal", applied.error().message, {}});
  }
  if (!rest.changes.empty()) {
    const Undone back = undo_commit(context, journal, roots);
    if (back == Undone::later || back == Undone::unknown)
      return applied ? fail(Code::io_error, "a commit that cannot be completed could not be withdrawn",
                            root.side("journal"))
                     : applied;
    if (back == Undone::yes) rest.changes.clear();
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

// A link, a directory, ...: nothing of ours, and no commit could be written
// through it. The whole thing goes to the quarantine.
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
  // A pointer in the home root would lead on without end, or in a circle.
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
      HOLDFAST_TRY(read.state == JournalState::undoing ? undo_again(read.journal, *roots, findings)
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
  HOLDFAST_LET(held, other->lock(context));  // recovers, or says why it cannot
  return {};
}

}  // namespace holdfast::inline v1
