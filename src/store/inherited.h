// Thread-safety: any thread, as the store.
#pragma once

#include <holdfast/error.h>

#include <cstdint>

#include "store/file_store.h"

namespace holdfast::inline v1 {

// The number of messages that the session references in other files (a fork). Message::ordinal counts them, so they are
// added whenever only the session's own files were read. Costs nothing for layouts without such references.
Result<std::int64_t> count_inherited(const Context& context, const FileStore& store, const SessionRef& ref);

}  // namespace holdfast::inline v1
