// Large texts of the native layout that nothing refers to any more: collected when
// the trash is emptied. Thread-safety: as Store. Rules: docs/formats/holdfast.md.
//
// A text is never deleted at once. What no file of the store names is first set
// aside in the side folder; there it waits as long as a session in the trash does,
// is looked for again, and only then goes. Whoever finds the name of one that was
// set aside puts it back. So a writer that counted on a text which was there can
// lose it only by taking longer than that, and it looks again itself after its line.
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
