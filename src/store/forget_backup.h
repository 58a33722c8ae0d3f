// A document that holds secrets keeps no version before in its backup.
// Thread-safety: as Root.
#pragma once

#include <holdfast/context.h>
#include <holdfast/root.h>

#include <string_view>

namespace holdfast::inline v1 {

// After a change: the backup of `path` becomes the version that is there now, or goes with
// the document. What a removed or replaced key was is then nowhere in the store.
Result<void> forget_version_before(const Context& context, Root& root, std::string_view path);

}  // namespace holdfast::inline v1
