// Failed saves of a workflow: whether they are critical, and how they are reported.
#pragma once

#include <holdfast/error.h>

#include <functional>
#include <string_view>

#include "store/file_store.h"

namespace holdfast::inline v1 {

// True for lack of space or permission, or a device or a sync that failed: nothing can be promised any more.
bool is_critical(Code code);

// "... | Path: ... | OS Error: ... (0x0000001c) | Details: ...", as Lopen's users know it.
Error critical_error(const Error& cause, std::string_view root);

// Runs `save` for a session unless it is paused; pauses the session after a critical failure.
Result<void> save_or_pause(FileStore& store, std::string_view id, const std::function<Result<void>()>& save);

}  // namespace holdfast::inline v1
