// Collects large texts of the native layout that nothing refers to any more. Runs when
// the trash is emptied. Thread-safety: that of Store. Rules: docs/formats/holdfast.md.
//
// A text is never deleted at once. A text that no file of the store names is first set aside
// in the side folder. It stays there as long as a session stays in the trash, is looked for
// again, and only then deleted. Whoever finds the name of a text that was set aside puts it
// back. A writer that relies on an existing text cannot lose it: the writer holds off removals
// (store/record_lock.h) from before it checks for the text until the line that names it is
// written, and texts are only set aside under that lock. Crash-safety: a text is in its place
// or aside, never in between; every step can be repeated.
#pragma once

#include <holdfast/store.h>

#include <chrono>
#include <cstdint>

namespace holdfast::inline v1 {

struct CollectedBlobs {
  std::uint64_t set_aside = 0, put_back = 0, deleted = 0;
};

// Deletes texts that were set aside before `then` (and at least an hour ago). Does nothing on other layouts.
Result<CollectedBlobs> collect_blobs(const Context& context, Store& store, std::chrono::system_clock::time_point then);

// True if some text was set aside before `then`. Reads only.
Result<bool> has_blobs_aside(const Context& context, Store& store, std::chrono::system_clock::time_point then);

}  // namespace holdfast::inline v1
