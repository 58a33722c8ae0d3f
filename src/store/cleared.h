// Logs that were cleared, set aside in the side folder (history.h, clear_session).
#pragma once

#include <holdfast/root.h>

#include <memory>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::string_view kClearedFolder = "cleared";  // in the side folder

// A new name for the log of this session, as a path in the root.
std::string new_cleared_path(const Context& context, const Root& root, std::string_view session_id);
// Whether a file in the folder of cleared logs is the log of this session.
bool is_cleared_log_of(std::string_view name, std::string_view session_id);

// Must be called before a log is opened for writing. If clearing the log was interrupted before the empty file took
// its place, removes the second name in the side folder: a log with two names cannot be opened for writing.
Result<void> settle_cleared(const Context& context, Root& root, const std::string& path);

}  // namespace holdfast::inline v1
