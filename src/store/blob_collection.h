// Large texts of the native layout that nothing refers to any more: collected when
// the trash is emptied. Thread-safety: as Store. Rules: docs/formats/holdfast.md.
//
// A text is never deleted at once. What no file of the store names is first set
// aside in the side folder; there it waits as long as a session in the trash does,
// is looked for again, and only then goes. Whoever finds the name of one that was
// set aside puts it back. Nobody who counts on a text that is there can miss it: from
// before it is looked at until the line that names it is written, removals are held
// off (store/record_lock.h), and nothing is set aside but under that lock.
// Crash-safety: a text is in its place or aside, never in between; every step can be repeated.
#pragma once

#include <holdfast/store.h>

#include <chrono>
#include <cstdint>

namespace holdfast::inline v1 {

struct CollectedBlobs {
  std::uint64_t set_aside = 0, put_back = 0, deleted = 0;
};

// Deletes what was set aside before `then` (and at least an hour ago). Nothing on other layouts.
Result<CollectedBlobs> collect_blobs(const Context& context, Store& store, std::chrono::system_clock::time_point then);

// Whether something was set aside before `then`. Reads only.
Result<bool> has_blobs_aside(const Context& context, Store& store, std::chrono::system_clock::time_point then);

}  // namespace holdfast::inline v1
