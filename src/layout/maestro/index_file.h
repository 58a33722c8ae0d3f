// index.json: one entry a thread, pinned ones first, then the newest (M04).
// Format: docs/formats/maestro.md.
#pragma once

#include "layout/change.h"
#include "layout/moment.h"
#include "layout/thread_keeper.h"

namespace holdfast::inline v1::maestro {

// The index as it should be once `saved` is saved. It is made of all threads
// when `anew`, when it is missing, bad or of another version, when it lists
// other threads than there are, or when a thread is newer than it; otherwise
// only the saved ones are set in it.
Result<Changes> index_changes(Feed& feed, const ThreadKeeper::SavedThreads& saved, bool anew, const Moment& moment);

}  // namespace holdfast::inline v1::maestro
