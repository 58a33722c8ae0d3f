// index.json: one entry per thread, pinned threads first, then the newest (M04).
// Format: docs/formats/maestro.md.
#pragma once

#include "layout/change.h"
#include "layout/moment.h"
#include "layout/thread_keeper.h"

namespace holdfast::inline v1::maestro {

// The index as it should be once `saved` is saved. Rebuilt from all threads if `anew`
// is set, if the index is missing, damaged or of another version, if it lists other
// threads than exist, or if a thread is newer than the index; otherwise only the saved
// threads are updated.
Result<Changes> index_changes(Feed& feed, const ThreadKeeper::SavedThreads& saved, bool anew, const Moment& moment);

}  // namespace holdfast::inline v1::maestro
