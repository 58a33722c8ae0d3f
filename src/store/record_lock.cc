#include "store/record_lock.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::chrono::seconds kWait{30};

}  // namespace

Result<RecordLock> lock_records(const Context& context, Root& root) {
  const Context bounded = context.within(kWait);
  const std::string name = root.side("locks", "records");
  RankHold rank(LockRank::records);
  while (true) {
    HOLDFAST_TRY(bounded.check());
    auto file = root.directory().open(name, OpenMode::update);
    if (!file && file.error().code == Code::not_found) {
      HOLDFAST_TRY(root.ensure_directory(root.side("locks")));
      file = root.directory().open(name, OpenMode::create_update);
      if (!file && file.error().code == Code::already_exists) continue;
    }
    if (!file) return fail(std::move(file).error());
    HOLDFAST_TRY(wait_for_lock(bounded, **file, LockKind::exclusive, name));
    // A lock on a file that has lost its name protects nothing.
    const auto held = (*file)->stat();
    const auto named = root.directory().stat(name);
    if (held && named && held->same_file(*named)) return RecordLock(std::move(rank), std::move(*file));
  }
}

}  // namespace holdfast::inline v1
