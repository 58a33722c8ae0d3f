// Changes a settings file that people edit too: one change at a time, atomically.
// Thread-safety: any thread; processes wait for each other.
#pragma once

#include <holdfast/file_system.h>

#include <functional>
#include <string>

namespace holdfast::inline v1 {

// Returns the new contents, given the current ones ("" if there is no file).
using SettingsEdit = std::function<Result<std::string>(const std::string& before)>;

// Durable on return. The file itself is the lock: after waiting for it, this reads what the previous writer wrote. With
// `create`, creates a missing file and its directories. Fails with busy after a long wait, with unsafe_path if it is
// not a plain file.
Result<void> change_settings_file(FileSystem& files, const std::string& path, bool create, const SettingsEdit& edit);

}  // namespace holdfast::inline v1
