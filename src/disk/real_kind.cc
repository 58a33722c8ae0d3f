#include "disk/real_kind.h"

#include <array>
#include <charconv>

namespace holdfast::inline v1 {
namespace {

struct Magic {
  std::uint64_t number;
  std::string_view name;
  bool network;
};

// Numbers from statfs(2); <linux/magic.h> lacks a third of them.
constexpr Magic kMagics[] = {
    {0xEF53, "ext4", false},         {0x58465342, "xfs", false},   {0x9123683E, "btrfs", false},
    {0x01021994, "tmpfs", false},    {0x858458F6, "ramfs", false}, {0x794C7630, "overlayfs", false},
    {0x2FC12FC1, "zfs", false},      {0xF2F52010, "f2fs", false},  {0xCA451A4E, "bcachefs", false},
    {0x52654973, "reiserfs", false}, {0x3153464A, "jfs", false},   {0x4D44, "vfat", false},
    {0x2011BAB0, "exfat", false},    {0x7366746E, "ntfs", false},  {0xF15F, "ecryptfs", false},
    {0x6969, "nfs", true},           {0x517B, "smb", true},        {0xFF534D42, "cifs", true},
    {0xFE534D42, "smb2", true},      {0x01021997, "9p", true},     {0x5346414F, "afs", true},
    {0x6B414653, "afs", true},       {0x73757245, "coda", true},   {0x00C36400, "ceph", true},
    {0x0BD00BD0, "lustre", true},    {0x47504653, "gpfs", true},   {0x564C, "ncp", true},
    {0x786F4256, "vboxsf", true},    {0xBACBACBC, "vmhgfs", true}, {0x9FA0, "proc", false},
};
constexpr std::uint64_t kFuse = 0x65735546;

// For virtiofs and vmhgfs, the host's kernel is the other machine.
constexpr std::string_view kNetworkFuse[] = {
    "sshfs",
    "s3fs",
    "goofys",
    "mount-s3",
    "mountpoint-s3",
    "gcsfuse",
    "blobfuse",
    "blobfuse2",
    "rclone",
    "davfs",
    "davfs2",
    "glusterfs",
    "gvfsd-fuse",
    "curlftpfs",
    "ceph",
    "ceph-fuse",
    "cephfs",
    "juicefs",
    "smbnetfs",
    "nfs",
    "fuse-nfs",
    "afpfs",
    "seaweedfs",
    "moosefs",
    "mfs",
    "lizardfs",
    "beegfs",
    "onedriver",
    "google-drive-ocamlfuse",
    "kio-fuse",
    "virtiofs",
    "vmhgfs-fuse",
    "grpcfuse",
    "osxfs",
    "fakeowner",
    "hdfs",
    "keybase",
    "portal",
};

bool is_network_fuse(std::string_view type) {
  for (const auto name : kNetworkFuse)
    if (type == name || (type.starts_with(name) && type.substr(name.size()).starts_with('.'))) return true;
  return false;
}

// "https://host/x" or "user@host:/x"; local FUSE file systems are mounted from plain names and paths.
bool is_remote_source(std::string_view source) { return source.contains("://") || source.contains(":/"); }

std::string_view next_field(std::string_view& line) {
  const std::size_t space = std::min(line.find(' '), line.size());
  const std::string_view field = line.substr(0, space);
  line.remove_prefix(std::min(space + 1, line.size()));
  return field;
}

}  // namespace

FileSystemKind file_system_kind(std::uint64_t magic, std::string_view fuse_type, std::string_view source) {
  magic &= 0xFFFFFFFF;  // signed in some C libraries
  if (magic == kFuse) {
    if (fuse_type.starts_with("fuse.")) fuse_type.remove_prefix(5);
    if (fuse_type.empty()) fuse_type = "fuse";
    return {std::string(fuse_type), is_network_fuse(fuse_type) || (fuse_type == "fuse" && is_remote_source(source))};
  }
  for (const Magic& known : kMagics)
    if (known.number == magic) return {std::string(known.name), known.network};
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), magic, 16).ptr;
  return {"0x" + std::string(digits.data(), end), false};
}

// "36 35 98:0 /root /mount rw,noatime master:1 - ext4 /dev/root rw": the number
// of optional fields before " - " varies.
MountInfo find_mount(std::string_view mountinfo, unsigned major, unsigned minor) {
  const std::string device = std::to_string(major) + ":" + std::to_string(minor);
  while (!mountinfo.empty()) {
    const std::size_t newline = std::min(mountinfo.find('\n'), mountinfo.size());
    std::string_view line = mountinfo.substr(0, newline);
    mountinfo.remove_prefix(std::min(newline + 1, mountinfo.size()));
    next_field(line);
    next_field(line);
    if (next_field(line) != device) continue;
    const std::size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) continue;
    line.remove_prefix(dash + 3);
    const std::string_view type = next_field(line);
    return {std::string(type), std::string(next_field(line))};
  }
  return {};
}

}  // namespace holdfast::inline v1
