#include "disk/real_file_system.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>

#include "disk/free_space.h"
#include "disk/real_directory.h"
#include "disk/real_kind.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> checked_absolute(std::string_view path) {
  if (!path.starts_with('/') || path.contains('\0'))
    return fail(Code::invalid_argument, "the path of a root must be absolute", std::string(path));
  if (path.size() >= PATH_MAX) return fail(Code::invalid_argument, "the path is too long", std::string(path));
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

Descriptor open_names(int from, const char* path) {
  return Descriptor(::openat(from, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK));
}

int sync_names(int parent) {
  const Descriptor names = open_names(parent, ".");  // an O_PATH descriptor cannot be synced
  if (!names) return errno;
  while (::fsync(names.get()) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

// Creates missing directories from the top; each new name is durable before the
// next is created. Follows links: the user chose the path of a root.
Result<void> make_all(const std::string& path) {
  Descriptor at(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  std::size_t from = 0;
  while (at && from < path.size()) {
    const std::size_t slash = std::min(path.find('/', from), path.size());
    const std::string name = path.substr(from, slash - from);
    from = slash + 1;
    if (name.empty()) continue;
    Descriptor next(::openat(at.get(), name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!next && errno == ENOENT) {
      const int made = make_private_directory(at.get(), name.c_str());
      // Sync also if another process was first: it may die before its own sync.
      const int failed = made != 0 && made != EEXIST ? made : sync_names(at.get());
      // The next sync cannot be trusted (I-7): remove the directory, so the next attempt creates it again.
      if (failed != 0 && made == 0) (void)::unlinkat(at.get(), name.c_str(), AT_REMOVEDIR);
      if (failed != 0) return fail(file_error(failed, "cannot create the directory", path.substr(0, slash)));
      next = Descriptor(::openat(at.get(), name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    }
    at = std::move(next);
  }
  if (!at) return fail(file_error(errno, "cannot create the directory", path));
  return {};
}

// Whether a link on the path leads to a place that is not there, such as a disk that is not mounted.
bool leads_nowhere(const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string name = path.substr(0, end);
    struct stat now{};
    if (::lstat(name.c_str(), &now) != 0) return false;
    if (S_ISLNK(now.st_mode) && ::stat(name.c_str(), &now) != 0) return errno == ENOENT;
    if (end == std::string::npos) return false;
  }
}

// Tells a link that leads nowhere (ELOOP) from nothing at all; for those who only look, neither is there.
Error not_opened(Error error, const std::string& path) {
  if (error.code != Code::not_found || !leads_nowhere(path)) return error;
  error.message += "; a link on its path leads nowhere";
  error.os_error = ELOOP;
  return error;
}

Result<void> check_root(const struct stat& root, const std::string& path) {
  const auto user = ::geteuid();
  if (root.st_uid != user && user != 0) {
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)
      return fail(file_error(errno, "cannot write to the directory, which belongs to another user", path));
    return fail(Code::unsafe_path, "the directory belongs to another user, who could replace anything in it", path);
  }
  if ((root.st_mode & S_IWOTH) != 0 && (root.st_mode & S_ISVTX) == 0)
    return fail(Code::unsafe_path, "anybody may write to the directory and replace anything in it (fix with chmod o-w)",
                path);
  return {};
}

std::string read_all(const char* path) {
  std::string text;
  const Descriptor file(::open(path, O_RDONLY | O_CLOEXEC));
  char buffer[4096];
  for (ssize_t count = 1; file && count > 0;) {
    count = ::read(file.get(), buffer, sizeof buffer);
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
  }
  return text;
}

class RealFileSystem final : public FileSystem, public ReportsFreeSpace, public OpensForeign, public OpensShared {
 public:
  explicit RealFileSystem(Resolve resolve) : resolve_(resolve) {}

  Result<std::unique_ptr<Directory>> open_directory(std::string_view wanted, bool create) override {
    return open_root(wanted, create, true);
  }
  Result<std::unique_ptr<Directory>> open_to_read(std::string_view wanted) override {
    return open_root(wanted, false, false);
  }
  Result<std::unique_ptr<Directory>> open_shared(std::string_view wanted) override {
    return open_root(wanted, false, false, true);
  }

  Result<std::unique_ptr<Directory>> open_root(std::string_view wanted, bool create, bool trusted,
                                               bool shared = false) const {
    HOLDFAST_LET(path, checked_absolute(wanted));
    Descriptor opened = open_names(AT_FDCWD, path.c_str());
    if (!opened && errno == ENOENT && create) {
      if (auto made = make_all(path); !made) return fail(not_opened(std::move(made).error(), path));
      opened = open_names(AT_FDCWD, path.c_str());
    }
    struct stat now{};
    if (!opened || ::fstat(opened.get(), &now) != 0) {
      Error error = file_error(errno, "cannot open the directory", path);
      if (error.os_error == ENOTDIR)
        error.code = Code::invalid_argument;  // chosen by the caller, unlike the names below it
      return fail(not_opened(std::move(error), path));
    }
    if (trusted) HOLDFAST_TRY(check_root(now, path));
    return make_real_directory(std::move(opened), std::move(path), resolve_, shared ? now.st_mode & 0022U : 0U);
  }

  Result<FileSystemKind> kind_of(std::string_view wanted) override {
    HOLDFAST_LET(path, checked_absolute(wanted));
    struct statfs now{};
    struct statx names{};
    if (::statfs(path.c_str(), &now) != 0 || ::statx(AT_FDCWD, path.c_str(), 0, STATX_TYPE, &names) != 0)
      return fail(file_error(errno, "cannot determine the kind of file system", path));
    const auto magic = static_cast<std::uint64_t>(now.f_type);
    FileSystemKind kind = file_system_kind(magic);
    if (kind.name != "fuse") return kind;
    const MountInfo mount = find_mount(read_all("/proc/self/mountinfo"), names.stx_dev_major, names.stx_dev_minor);
    return file_system_kind(magic, mount.type, mount.source);
  }

  Result<std::uint64_t> free_bytes(std::string_view wanted) override {
    HOLDFAST_LET(path, checked_absolute(wanted));
    struct statfs now{};
    if (::statfs(path.c_str(), &now) != 0) return fail(os_error(errno, "cannot determine the free space", path));
    return static_cast<std::uint64_t>(now.f_bavail) * static_cast<std::uint64_t>(now.f_bsize);
  }

  std::uint64_t entropy() override {
    std::uint64_t bits = 0;
    if (::getrandom(&bits, sizeof bits, 0) == sizeof bits) return bits;
    // An old kernel (before 3.17) or a strict seccomp filter. Names are created with O_EXCL, so they must be distinct,
    // not secret.
    static std::atomic<std::uint64_t> count{0};
    bits = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    bits += (static_cast<std::uint64_t>(::getpid()) << 32) + ++count;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;  // the mixer of splitmix64
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
    return bits ^ (bits >> 31);
  }

 private:
  Resolve resolve_;
};

}  // namespace

std::unique_ptr<FileSystem> make_real_file_system(Resolve resolve) { return std::make_unique<RealFileSystem>(resolve); }

FileSystem& real_file_system() {
  // Never destroyed: threads may outlive main.
  static FileSystem& instance = *new RealFileSystem(Resolve::automatic);
  return instance;
}

}  // namespace holdfast::inline v1
