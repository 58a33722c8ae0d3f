// Changes a settings file that people edit too, ours or an agent's: one change at a time, atomically. Leaves nothing
// beside it.
// Thread-safety: any thread; processes wait for each other.
#pragma once

#include <holdfast/file_system.h>

#include <functional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Returns the new contents, given the current ones ("" if there is no file).
using EditText = std::function<Result<std::string>(const std::string& before)>;

// Durable on return. The file itself is the lock: after waiting for it, this reads what the previous writer wrote. It
// keeps its mode. With `create`, creates a missing file and its directories; without, a missing file is not edited.
// Fails with busy after a long wait, with unsafe_path if it is not a plain file or would get another owner.
Result<void> change_settings_file(FileSystem& files, const std::string& path, bool create, const EditText& edit);

// Creates the file, mode 0600, and its directories. It appears complete, or not at all. Fails with already_exists.
Result<void> create_settings_file(FileSystem& files, const std::string& path, std::string_view bytes);

}  // namespace holdfast::inline v1
