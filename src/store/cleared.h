// Logs that were cleared, set aside in the side folder (history.h, clear_session).
#pragma once

#include <holdfast/root.h>

#include <memory>
#include <string>

namespace holdfast::inline v1 {

std::string cleared_path(const Root& root, std::string_view name);

// Before a log is opened for writing: of one whose clearing was cut short before the empty file took its place, the
// name aside goes again. While it has two names nobody writes to it.
Result<void> settle_cleared(const Context& context, Root& root, const std::string& path);

}  // namespace holdfast::inline v1
