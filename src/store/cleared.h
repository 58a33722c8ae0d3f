// Logs that were cleared, set aside in the side folder (history.h, clear_session).
#pragma once

#include <holdfast/root.h>

#include <memory>
#include <string>

namespace holdfast::inline v1 {

std::string cleared_path(const Root& root, std::string_view name);

// Must be called before a log is opened for writing. If clearing the log was interrupted before the empty file took
// its place, removes the second name in the side folder: a log with two names cannot be opened for writing.
Result<void> settle_cleared(const Context& context, Root& root, const std::string& path);

}  // namespace holdfast::inline v1
