#include "disk/undo.h"

#include <algorithm>
#include <ranges>

#include "disk/apply.h"
#include "disk/staged.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

bool is_file(const Revision& revision) { return revision != kAbsent && !revision.starts_with("link:"); }

// True if what is there is not ours, or may not be examined.
bool is_obstructed(const Error& error) { return error.code == Code::unsafe_path || is_forbidden(error); }

// Makes the backup durable before it is relied on. Returns false if the backup does not hold the old version.
Result<bool> keep_source(Root& root, const JournalStep& change) {
  const std::string backup = backup_path(root, change.path);
  auto bytes = read_whole(root.directory(), backup);
  if (!bytes) return bytes.error().code == Code::not_found ? Result<bool>(false) : fail(std::move(bytes).error());
  if (revision_of(*bytes) != change.before && does(Step::commit_undo_hash)) return false;
  if (!does(Step::commit_undo_sources)) return true;
  HOLDFAST_LET(file, root.directory().open(backup, OpenMode::read));
  HOLDFAST_TRY(file->sync());
  HOLDFAST_TRY(root.sync_name(backup));
  return true;
}

Result<bool> can_be_undone(const Context& context, const Journal& journal,
                           std::span<const std::shared_ptr<Root>> roots) {
  for (const JournalStep& change : journal.changes) {
    if (!roots[change.root]) return false;
    Root& root = *roots[change.root];
    const auto begun = is_partly_applied(context, root, change);
    if (!begun && !is_obstructed(begun.error())) return fail(begun.error());
    if (change.kind == StepKind::append) {
      if (!begun || *begun) return false;
      continue;
    }
    if (!begun || !*begun) continue;
    HOLDFAST_LET(kept, is_file(change.before) ? keep_source(root, change) : Result<bool>(true));
    if (!kept) return false;
  }
  return true;
}

// The inverse change: puts back what the name held before.
JournalStep backwards(const JournalStep& change) {
  JournalStep back;
  back.path = change.path;
  back.kind = change.before == kAbsent ? StepKind::remove : StepKind::put;
  if (change.before.starts_with("link:")) {
    back.kind = StepKind::symlink;
    back.target = change.before.substr(std::string_view("link:").size());
  }
  return back;
}

Result<void> put_back(Root& root, const JournalStep& change) {
  Directory& directory = root.directory();
  if (change.before == kAbsent) return directory.remove(change.path);
  if (!is_file(change.before)) return repeat_name_change(root, backwards(change));
  HOLDFAST_TRY(root.ensure_directory(root.side("tmp")));
  // A second link to the backup needs no disk space, and its bytes are durable.
  const std::string link = root.side("tmp", root.unique_name("undo."));
  HOLDFAST_TRY(directory.make_link(backup_path(root, change.path), link));
  auto placed = directory.rename(link, change.path);
  if (!placed) drop_staged(root, link);
  return placed;
}

Result<void> undo_name(Root& root, const JournalStep& change, bool again) {
  if (change.kind == StepKind::append || change.before == change.after) return {};
  const auto revision = name_revision(root, change.path);
  if (!revision && revision.error().code == Code::unsafe_path) return {};
  HOLDFAST_LET(found, revision);
  if (found == change.after || !does(Step::commit_undo_check)) {
    HOLDFAST_TRY(put_back(root, change));
  } else if (again && found == change.before) {
    // Perhaps restored by an attempt whose sync failed. Where writing is
    // forbidden, nothing was written.
    auto renewed = repeat_name_change(root, backwards(change));
    if (!renewed && renewed.error().code == Code::not_found) return {};  // the folder does not exist either
    if (!renewed && !is_forbidden(renewed.error())) return renewed;
  } else {
    return {};  // unchanged, or changed by somebody else
  }
  return does(Step::commit_undo_names) ? root.sync_name(change.path) : Result<void>{};
}

// With `left_out`, a name that cannot be restored is listed there and does not stop the others.
Result<void> undo_names(const Journal& journal, std::span<const std::shared_ptr<Root>> roots,
                        std::vector<Finding>* left_out) {
  for (const JournalStep& change : journal.changes | std::views::reverse) {
    if (!roots[change.root]) continue;
    auto undone = undo_name(*roots[change.root], change, left_out != nullptr);
    if (undone) continue;
    const bool lasting =
        is_obstructed(undone.error()) || undone.error().code == Code::not_found;  // including a backup that is gone
    if (left_out == nullptr || !lasting) return undone;
    left_out->push_back(
        {change.path, 0, 0, "journal", "left as a refused commit wrote it: " + undone.error().text(), {}});
  }
  return close_journal(*roots[0], journal.transaction, does(Step::commit_undo_done_sync));
}

}  // namespace

Result<bool> is_partly_applied(const Context& context, Root& root, const JournalStep& change) {
  if (change.kind != StepKind::append) {
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

Result<bool> restore_name(Root& root, const JournalStep& change) {
  if (is_file(change.before)) {
    HOLDFAST_LET(kept, keep_source(root, change));
    if (!kept) return false;
  }
  HOLDFAST_TRY(undo_name(root, change, false));
  return true;
}

UndoResult undo_commit(const Context& context, const Journal& journal, std::span<const std::shared_ptr<Root>> roots) {
  if (!does(Step::commit_undo)) return UndoResult::no;
  const auto possible = can_be_undone(context, journal, roots);
  if (!possible) return UndoResult::unknown;
  if (!*possible) return UndoResult::no;
  if (!write_undo(*roots[0], journal)) return UndoResult::unknown;
  return undo_names(journal, roots, nullptr) ? UndoResult::yes : UndoResult::later;
}

Result<void> resume_undo(const Journal& journal, std::span<const std::shared_ptr<Root>> roots,
                         std::vector<Finding>& findings) {
  return undo_names(journal, roots, &findings);
}

}  // namespace holdfast::inline v1
