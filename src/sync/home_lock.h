// Locks of the kernel below what sync remembers: tried once, gone with the process that has them.
// Lifetime: held as long as the File.
#pragma once

#include <holdfast/root.h>

#include <memory>
#include <string>

namespace holdfast::inline v1 {

inline constexpr std::string_view kSyncSide = ".side";  // the side folder there

// busy, with `otherwise` as its message, while another process has the lock of that name.
Result<std::unique_ptr<File>> lock_in(Root& root, const std::string& name, const std::string& otherwise);

// Held while a process syncs with that remote until it is stopped. `path`: that of the SyncHome.
Result<std::unique_ptr<File>> watch_lock(const Context& context, FileSystem& files, const std::string& path,
                                         const std::string& remote);

}  // namespace holdfast::inline v1
