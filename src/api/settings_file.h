// A file of settings that a person edits too: one change at a time, whole or not at all.
// Thread-safety: any thread; processes wait for each other.
#pragma once

#include <holdfast/file_system.h>

#include <functional>
#include <string>

namespace holdfast::inline v1 {

// What the file is to be, of what it is now ("": there is none).
using SettingsEdit = std::function<Result<std::string>(const std::string& before)>;

// Durable when this returns. The file itself is the lock: who waited for it reads what the one before wrote. A
// missing file and its directories are made, with `create`. busy after a long wait; unsafe_path: it is not a plain
// file.
Result<void> change_settings_file(FileSystem& files, const std::string& path, bool create, const SettingsEdit& edit);

}  // namespace holdfast::inline v1
