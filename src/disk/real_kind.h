#pragma once

#include <holdfast/file_system.h>

#include <cstdint>
#include <string_view>

namespace holdfast::inline v1 {

// What kind a file system is by its statfs magic. For FUSE (whose magic says
// nothing) also the type in mountinfo ("fuse.sshfs") and the mounted source
// ("user@host:/srv"). Network: a second kernel may write there, whose locks and
// syncs we do not see. What is not known counts as local.
FileSystemKind file_system_kind(std::uint64_t magic, std::string_view fuse_type = {}, std::string_view source = {});

// Type and source of the mount with that device number in the text of /proc/self/mountinfo.
struct MountInfo {
  std::string type;
  std::string source;
};
MountInfo find_mount(std::string_view mountinfo, unsigned major, unsigned minor);

}  // namespace holdfast::inline v1
