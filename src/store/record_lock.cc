#include "store/record_lock.h"

#include "disk/lock_wait.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

Result<RecordLock> lock_side(const Context& context, Root& root, std::string_view what, LockKind kind, LockRank rank_of,
                             Step step) {
  const std::string name = root.side("locks", what);
  RankHold rank(rank_of);
  while (true) {
    HOLDFAST_TRY(context.check());
    auto file = root.directory().open(name, OpenMode::update);
    if (!file && file.error().code == Code::not_found) {
      HOLDFAST_TRY(root.ensure_directory(root.side("locks")));
      file = root.directory().open(name, OpenMode::create_update);
      if (!file && file.error().code == Code::already_exists) continue;
    }
    if (!file) return fail(std::move(file).error());
    if (does(step)) HOLDFAST_TRY(wait_for_turn(context, **file, kind, name));
    // A lock on a file that has lost its name protects nothing.
    const auto held = (*file)->stat();
    const auto named = root.directory().stat(name);
    if ((held && named && held->same_file(*named)) || !does(Step::side_lock_inode_check))
      return RecordLock(std::move(rank), std::move(*file));
  }
}

}  // namespace

Result<RecordLock> lock_records(const Context& context, Root& root) {
  return lock_side(context, root, "records", LockKind::exclusive, LockRank::records, Step::records_lock);
}

Result<RecordLock> lock_sessions(const Context& context, Root& root, LockKind kind) {
  return lock_side(context, root, "sessions", kind, LockRank::sessions, Step::sessions_lock);
}

}  // namespace holdfast::inline v1
