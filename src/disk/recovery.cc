#include "disk/recovery.h"

#include <algorithm>
#include <utility>

#include "base/safe_name.h"
#include "disk/apply.h"
#include "disk/staged.h"
#include "disk/steps.h"
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

// Who can write into one root can put a journal there (a cloned repository with
// a store in it). It reaches into another root only when that one says so too:
// its pointer, which is durable before the journal, names this root and this
// transaction.
Result<bool> expected_by(const Context& context, Root& other, Root& home, std::string_view transaction) {
  HOLDFAST_LET(read, read_journal(other));
  if (read.state != JournalState::pending || !read.journal.home || read.journal.transaction != transaction)
    return false;
  auto named = attach(context, home.file_system(), *read.journal.home);
  if (!named) return named.error().code == Code::not_found ? Result<bool>(false) : fail(std::move(named).error());
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
  return std::ranges::all_of(journal.changes, [&](const Change& change) {
    const std::string& side = change.root == 0 ? root.options().side : journal.roots[change.root].side;
    if (!check_relative_path(change.path) || in_side_folder(change.path, side)) return false;
    if (!std::ranges::all_of(change.lines, [](const std::string& line) { return is_json_object_line(line); }))
      return false;
    return change.kind != ChangeKind::put || change.before == change.after ||
           (check_relative_path(change.staged) && change.staged.starts_with(side + "/tmp/"));
  });
}

// A put that is still to be done and whose new version is gone or damaged.
Result<bool> cannot_be_done(Root& root, const Change& change) {
  if (change.kind != ChangeKind::put || change.before == change.after) return false;
  HOLDFAST_LET(found, name_revision(root, change.path));
  if (found != change.before) return false;
  const auto staged = read_whole(root.directory(), change.staged);
  return !staged || revision_of(*staged) != change.after;
}

Result<bool> has_begun(const Context& context, Root& root, const Change& change) {
  if (change.kind != ChangeKind::append) {
    HOLDFAST_LET(found, name_revision(root, change.path));
    return change.before != change.after && found == change.after;
  }
  ReadOptions options;
  options.from = change.from;
  auto reader = LogReader::open(context, root.directory(), change.path, std::move(options));
  if (!reader) return reader.error().code == Code::not_found ? Result<bool>(false) : fail(std::move(reader).error());
  Record record;
  while (true) {
    HOLDFAST_LET(more, reader->next(record));
    if (!more) return false;
    if (std::ranges::find(change.lines, record.bytes) != change.lines.end()) return true;
  }
}

// A prepared version that is gone must not lock the store for ever. The commit
// was never acknowledged: when nothing of it is visible it is dropped as a
// whole, else everything is done that can be. Either way somebody is told.
Result<Journal> without_lost_versions(const Context& context, const Journal& journal,
                                      std::span<const std::shared_ptr<Root>> roots, std::vector<Finding>& findings) {
  Journal rest = journal;
  rest.changes.clear();
  for (const auto& change : journal.changes) {
    HOLDFAST_LET(lost, cannot_be_done(*roots[change.root], change));
    if (lost) {
      findings.push_back({change.path,
                          0,
                          0,
                          "journal",
                          "the version that an interrupted commit had prepared is gone or damaged: the old one stays",
                          {}});
    } else {
      rest.changes.push_back(change);
    }
  }
  if (rest.changes.size() == journal.changes.size()) return rest;
  for (const auto& change : rest.changes) {
    HOLDFAST_LET(begun, has_begun(context, *roots[change.root], change));
    if (begun) return rest;
  }
  rest.changes.clear();
  return rest;
}

// False: nothing was done, because another root knows nothing of this journal.
Result<bool> redo(const Context& context, Root& root, const Journal& journal, std::vector<Finding>& findings) {
  std::vector<std::shared_ptr<Root>> roots{root.shared_from_this()};
  for (std::size_t i = 1; i < journal.roots.size(); ++i) {
    HOLDFAST_LET(other, attach(context, root.file_system(), journal.roots[i]));
    HOLDFAST_LET(expected, expected_by(context, *other, root, journal.transaction));
    if (!expected) return false;
    roots.push_back(std::move(other));
  }
  OpenLogs logs;
  HOLDFAST_LET(rest, without_lost_versions(context, journal, roots, findings));
  HOLDFAST_TRY(apply_journal(context, rest, roots, logs, findings));
  HOLDFAST_TRY(write_applied(root, journal.transaction, true));
  return true;
}

Result<void> discard(const Context& context, Root& root, std::string_view bytes, std::string consequence,
                     std::vector<Finding>& findings) {
  Finding finding{root.side("journal"), 0, bytes.size(), "journal", std::move(consequence), {}};
  // A copy is good to have, but the journal holds nothing that was promised.
  if (auto moved = root.quarantine(context, finding.path, 0, bytes, "journal")) finding.moved_to = *moved;
  findings.push_back(std::move(finding));
  return write_applied(root, std::string(12, '0'), true);
}

// A pointer counts only while the journal that it points to is pending with the
// same transaction.
Result<bool> pending_at_home(const Context& context, Root& root, const Journal& pointer) {
  auto home = attach(context, root.file_system(), *pointer.home);
  if (!home) return home.error().code == Code::not_found ? Result<bool>(false) : fail(std::move(home).error());
  HOLDFAST_LET(read, read_journal(**home));
  // A pointer at home would lead on and on, or in a circle.
  return read.state == JournalState::pending && !read.journal.home && read.journal.transaction == pointer.transaction;
}

}  // namespace

Result<std::optional<JournalRoot>> recover_commit(const Context& context, Root& root, std::vector<Finding>& findings) {
  HOLDFAST_LET(read, read_journal(root));
  switch (read.state) {
    case JournalState::none:
    case JournalState::applied: return std::nullopt;
    case JournalState::damaged:
      HOLDFAST_TRY(discard(context, root, read.bytes,
                           "an unfinished commit journal was set aside; its commit was never acknowledged", findings));
      return std::nullopt;
    case JournalState::pending: break;
  }
  if (!read.journal.home) {
    const bool ours = could_be_ours(root, read.journal);
    HOLDFAST_LET(done, ours ? redo(context, root, read.journal, findings) : Result<bool>(false));
    if (done) return std::nullopt;
    HOLDFAST_LET(bytes, read_whole(root.directory(), root.side("journal")));
    HOLDFAST_TRY(discard(context, root, bytes,
                         ours ? "a commit journal that names a directory which knows nothing of it was set aside"
                              : "a commit journal with changes that no commit makes was set aside",
                         findings));
    return std::nullopt;
  }
  HOLDFAST_LET(pending, pending_at_home(context, root, read.journal));
  if (pending) return std::optional(*read.journal.home);
  HOLDFAST_TRY(write_applied(root, read.journal.transaction, true));
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
