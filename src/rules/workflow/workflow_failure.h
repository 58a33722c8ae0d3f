// A save of a workflow that failed: is it critical, and how it is told.
#pragma once

#include <holdfast/error.h>

#include <functional>
#include <string_view>

#include "store/file_store.h"

namespace holdfast::inline v1 {

// No space, no permission, a device or a sync that failed: nothing can be promised any more.
bool is_critical(Code code);

// "... | Path: ... | OS Error: ... (0x0000001c) | Details: ...", as Lopen's users know it.
Error critical_error(const Error& cause, std::string_view root);

// Does `save` for a session unless it stands still; after a critical failure it does.
Result<void> save_or_pause(FileStore& store, std::string_view id, const std::function<Result<void>()>& save);

}  // namespace holdfast::inline v1
