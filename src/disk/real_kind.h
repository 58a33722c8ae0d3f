#pragma once

#include <holdfast/file_system.h>

#include <cstdint>
#include <string_view>

namespace holdfast::inline v1 {

// Classifies a file system by its statfs magic. For FUSE (whose magic says
// nothing) also by the type in mountinfo ("fuse.sshfs") and the mounted source
// ("user@host:/srv"). Network means that another kernel may write there, whose
// locks and syncs we do not see. Unknown file systems count as local.
FileSystemKind file_system_kind(std::uint64_t magic, std::string_view fuse_type = {}, std::string_view source = {});

// Type and source of the mount with the given device number in the text of /proc/self/mountinfo.
struct MountInfo {
  std::string type;
  std::string source;
};
MountInfo find_mount(std::string_view mountinfo, unsigned major, unsigned minor);

}  // namespace holdfast::inline v1
