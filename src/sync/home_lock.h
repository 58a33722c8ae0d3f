// Kernel locks in the directory where sync keeps its state. A lock is tried once and ends with
// the process that holds it. Lifetime: held as long as the File.
#pragma once

#include <holdfast/root.h>

#include <memory>
#include <string>

namespace holdfast::inline v1 {

inline constexpr std::string_view kSyncSide = ".side";  // the side folder in that directory

// Fails with busy and the message `otherwise` while another process holds the lock of that name.
Result<std::unique_ptr<File>> lock_in(Root& root, const std::string& name, const std::string& otherwise);

// Held by a process that syncs with that remote continuously. `path` is that of the SyncHome.
Result<std::unique_ptr<File>> watch_lock(const Context& context, FileSystem& files, const std::string& path,
                                         const std::string& remote);

}  // namespace holdfast::inline v1
