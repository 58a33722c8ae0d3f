// A document that holds secrets must not keep its previous version in the backup.
// Thread-safety: that of Root.
#pragma once

#include <holdfast/context.h>
#include <holdfast/root.h>

#include <string_view>

namespace holdfast::inline v1 {

// Call after a change. Makes the present version of `path` its backup, or removes the backup
// along with the document. Afterwards a removed or replaced key is nowhere in the store.
Result<void> refresh_secret_backup(const Context& context, Root& root, std::string_view path);

}  // namespace holdfast::inline v1
