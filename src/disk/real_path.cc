#include "disk/real_path.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>

namespace holdfast::inline v1 {
namespace {

int openat2_call(int root, const char* path, int flags, unsigned mode, std::uint64_t resolve) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags);
  how.mode = mode;
  how.resolve = resolve;
  long number = -1;
  do number = ::syscall(SYS_openat2, root, path, &how, sizeof how);
  while (number < 0 && errno == EINTR);
  return static_cast<int>(number);
}

int openat_call(int root, const char* path, int flags, unsigned mode) {
  int number = -1;
  do number = ::openat(root, path, flags, static_cast<mode_t>(mode));
  while (number < 0 && errno == EINTR);
  return number;
}

// True if an open name is the root of another mount. Before Linux 5.8 only the device number
// of a directory shows that; on overlayfs a file's device number differs without any mount.
bool is_mount_point(int opened, int root) {
  struct statx now{};
  if (::statx(opened, "", AT_EMPTY_PATH, STATX_TYPE, &now) != 0) return true;
  if ((now.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0) return (now.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
  struct statx start{};
  if (::statx(root, "", AT_EMPTY_PATH, STATX_TYPE, &start) != 0) return true;
  return S_ISDIR(now.stx_mode) &&
         (now.stx_dev_major != start.stx_dev_major || now.stx_dev_minor != start.stx_dev_minor);
}

Descriptor walk(int root, const CPath& path, int flags, unsigned mode) {
  CPath copy = path;
  char* name = copy.get();
  Descriptor at;  // empty while still in the root
  while (true) {
    char* slash = std::strchr(name, '/');
    if (slash != nullptr) *slash = '\0';
    const int from = at ? at.get() : root;
    Descriptor next(slash == nullptr ? openat_call(from, name, flags, mode)
                                     : openat_call(from, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0));
    if (!next) return {};
    if (is_mount_point(next.get(), root)) {
      errno = EXDEV;
      return {};
    }
    if (slash == nullptr) return next;
    at = std::move(next);
    name = slash + 1;
  }
}

FileKind kind_of_mode(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::file;
  if (S_ISDIR(mode)) return FileKind::directory;
  if (S_ISLNK(mode)) return FileKind::symlink;
  return FileKind::other;
}

std::int64_t nanoseconds_of(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ < 0) return;
  // Destructors run between a failed call and the check of its errno.
  const int kept = errno;
  ::close(number_);
  errno = kept;
}

Resolve usable_resolve(Resolve wanted) {
  if (wanted != Resolve::automatic) return wanted;
  // Old kernels return ENOSYS, the seccomp filters of old containers EPERM.
  static const bool have = static_cast<bool>(Descriptor(openat2_call(AT_FDCWD, "/", O_PATH | O_CLOEXEC, 0, 0)));
  return have ? Resolve::openat2 : Resolve::walk;
}

Descriptor open_beneath(int root, const CPath& path, int flags, unsigned mode, Resolve resolve) {
  flags |= O_CLOEXEC | O_NOFOLLOW;
  if (resolve == Resolve::walk) return walk(root, path, flags, mode);
  return Descriptor(openat2_call(root, path.get(), flags, mode,
                                 RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV));
}

ParentDirectory::ParentDirectory(int root, std::string_view path, Resolve resolve) : path_(path), name_(path_.get()) {
  char* slash = std::strrchr(path_.get(), '/');
  if (slash == nullptr) {
    directory_ = root;
    return;
  }
  *slash = '\0';
  name_ = slash + 1;
  opened_ = open_beneath(root, path_, O_PATH | O_DIRECTORY, 0, resolve);
  directory_ = opened_.get();
}

FileStat to_file_stat(const struct stat& from) {
  FileStat to;
  to.kind = kind_of_mode(from.st_mode);
  to.device = from.st_dev;
  to.inode = from.st_ino;
  to.size = static_cast<std::uint64_t>(from.st_size);
  to.links = from.st_nlink;
  to.mode = from.st_mode & 07777U;
  to.owner = from.st_uid;
  to.mtime_ns = nanoseconds_of(from.st_mtim);
  to.ctime_ns = nanoseconds_of(from.st_ctim);
  return to;
}

FileStat to_file_stat(const struct statx& from) {
  FileStat to;
  to.kind = kind_of_mode(from.stx_mode);
  to.device = ::makedev(from.stx_dev_major, from.stx_dev_minor);
  to.inode = from.stx_ino;
  to.size = from.stx_size;
  to.links = from.stx_nlink;
  to.mode = from.stx_mode & 07777U;
  to.owner = from.stx_uid;
  return to;
}

}  // namespace holdfast::inline v1
