#include "disk/real_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "base/safe_name.h"
#include "disk/real_file.h"

namespace holdfast::inline v1 {
namespace {

// O_NONBLOCK: a planted FIFO must not block us. O_NOCTTY: a terminal must not become our controlling one.
constexpr int kAlways = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

int flags_of(OpenMode mode) {
  switch (mode) {
    case OpenMode::read: return O_RDONLY | kAlways;
    case OpenMode::append: return O_RDWR | O_APPEND | kAlways;
    case OpenMode::update: return O_RDWR | kAlways;
    case OpenMode::create_append: return O_RDWR | O_APPEND | O_CREAT | O_EXCL | kAlways;
    case OpenMode::create_update: return O_RDWR | O_CREAT | O_EXCL | kAlways;
  }
  return O_RDONLY | kAlways;
}

std::string_view purpose_of(OpenMode mode) {
  switch (mode) {
    case OpenMode::read: return "cannot open for reading";
    case OpenMode::append: return "cannot open for appending";
    case OpenMode::update: return "cannot open for writing";
    case OpenMode::create_append:
    case OpenMode::create_update: return "cannot create";
  }
  return "cannot open";
}

bool creates(OpenMode mode) { return mode == OpenMode::create_append || mode == OpenMode::create_update; }

// Returns what makes an open file unacceptable, or nullptr. Links and owner
// matter only when writing (decision 3).
const char* fault_of(const struct stat& file, OpenMode mode) {
  if (S_ISDIR(file.st_mode)) return "is a directory, not a plain file";
  if (S_ISFIFO(file.st_mode)) return "is a FIFO, not a plain file";
  if (S_ISCHR(file.st_mode) || S_ISBLK(file.st_mode)) return "is a device, not a plain file";
  if (!S_ISREG(file.st_mode)) return "is not a plain file";
  if (mode == OpenMode::read) return nullptr;
  if (file.st_nlink > 1) return "has a second name (hard link), so writing to it would change another file";
  if (file.st_uid != ::geteuid()) return "belongs to another user";
  return nullptr;
}

// Some file systems (vfat, some FUSE) have no modes and return these errors; there the mount decides.
bool without_modes(int number) { return number == EPERM || number == EOPNOTSUPP; }

FileKind kind_of_type(unsigned char type) {
  switch (type) {
    case DT_REG: return FileKind::file;
    case DT_DIR: return FileKind::directory;
    case DT_LNK: return FileKind::symlink;
    default: return FileKind::other;
  }
}

class RealDirectory final : public Directory {
 public:
  RealDirectory(Descriptor descriptor, std::string path, Resolve resolve, std::uint32_t writers)
      : descriptor_(std::move(descriptor)),
        path_(std::move(path)),
        resolve_(usable_resolve(resolve)),
        writers_(writers) {}

  const std::string& path() const override { return path_; }

  Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override {
    HOLDFAST_TRY(check_relative_path(path));
    const CPath text(path);
    Descriptor file = mode == OpenMode::read
                          ? open_following(text)
                          : open_beneath(root(), text, flags_of(mode), creates(mode) ? 0600 : 0, resolve_);
    if (!file && errno == ELOOP && mode != OpenMode::read)
      return fail(Error{Code::unsafe_path, std::string(purpose_of(mode)) + ": a symbolic link, which is not followed",
                        absolute(path), ELOOP});
    if (!file) return error(purpose_of(mode), path);
    if (creates(mode)) {
      if (::fchmod(file.get(), 0600U | (writers_ << 1U)) != 0 && !without_modes(errno)) {
        auto failure = error("cannot make private", path);
        (void)remove(path);
        return failure;
      }
    } else {
      struct stat now{};
      if (::fstat(file.get(), &now) != 0) return error(purpose_of(mode), path);
      if (const char* fault = fault_of(now, mode); fault != nullptr)
        return fail(Code::unsafe_path, std::string(purpose_of(mode)) + ": it " + fault, absolute(path));
      // Somebody removed the file between the open and the fstat: behave as if we had come later.
      if (now.st_nlink == 0 && mode != OpenMode::read)
        return fail(file_error(ENOENT, purpose_of(mode), absolute(path)));
    }
    return make_real_file(std::move(file), mode, absolute(path));
  }

  // Follows links above the last name, because only metadata is returned.
  Result<FileStat> stat(std::string_view path) override {
    struct stat now{};
    if (path.empty()) {
      if (::fstat(root(), &now) != 0) return error("cannot examine", path);
      return to_file_stat(now);
    }
    HOLDFAST_TRY(check_relative_path(path));
    const CPath text(path);
    if (::fstatat(root(), text.get(), &now, AT_SYMLINK_NOFOLLOW) != 0) return error("cannot examine", path);
    return to_file_stat(now);
  }

  // Called for every append: one system call, no allocation unless it fails.
  Result<FileStat> stat_without_times(std::string_view path) override {
    HOLDFAST_TRY(check_relative_path(path));
    struct statx now{};
    constexpr unsigned kWanted = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_UID | STATX_INO | STATX_SIZE;
    if (::statx(root(), CPath(path).get(), AT_SYMLINK_NOFOLLOW, kWanted, &now) == 0) return to_file_stat(now);
    if (errno == ENOSYS) return stat(path);
    return error("cannot examine", path);
  }

  bool exists(std::string_view path) override {
    struct stat now{};
    return ::fstatat(root(), CPath(path).get(), &now, AT_SYMLINK_NOFOLLOW) == 0;
  }

  Result<std::vector<DirectoryEntry>> list(std::string_view path) override {
    HOLDFAST_LET(opened, open_names(path, "cannot list"));
    return names_in(std::move(opened), path, AT_SYMLINK_NOFOLLOW);
  }

  Result<std::vector<DirectoryEntry>> list_and_stat(std::string_view path, std::vector<FileStat>& stats) override {
    HOLDFAST_LET(opened, open_to_list(path));
    return names_in(std::move(opened), path, 0, &stats);
  }

  Result<std::vector<DirectoryEntry>> list_to_read(std::string_view path) override {
    HOLDFAST_LET(opened, open_to_list(path));
    return names_in(std::move(opened), path, 0);
  }

  Result<FileStat> stat_to_read(std::string_view path) override {
    if (path.empty()) return stat(path);
    HOLDFAST_TRY(check_relative_path(path));
    struct stat now{};
    if (::fstatat(root(), CPath(path).get(), &now, 0) != 0) return error("cannot examine", path);
    return to_file_stat(now);
  }

  Result<Descriptor> open_to_list(std::string_view path) const {
    if (!path.empty()) HOLDFAST_TRY(check_relative_path(path));
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    Descriptor opened(::openat(root(), path.empty() ? "." : CPath(path).get(), kFlags));
    if (!opened) return error("cannot list", path);
    return opened;
  }

  // Reports links in the directory as what they lead to, unless `follow` forbids it.
  Result<std::vector<DirectoryEntry>> names_in(Descriptor opened, std::string_view path, int follow,
                                               std::vector<FileStat>* stats = nullptr) const {
    std::vector<DirectoryEntry> entries;
    entries.reserve(16);
    alignas(dirent64) char bytes[32 << 10];
    while (true) {
      const ssize_t size = ::getdents64(opened.get(), bytes, sizeof bytes);
      if (size < 0) return error("cannot list", path);
      if (size == 0) break;
      for (ssize_t at = 0; at < size;) {
        const auto* const entry = reinterpret_cast<const dirent64*>(bytes + at);
        at += entry->d_reclen;
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        FileKind kind = kind_of_type(entry->d_type);
        struct stat now{};
        const bool ask = entry->d_type == DT_UNKNOWN || (entry->d_type == DT_LNK && follow == 0);
        if (ask && ::fstatat(opened.get(), entry->d_name, &now, follow) == 0) kind = to_file_stat(now).kind;
        entries.push_back({std::string(name), kind});
      }
    }
    std::ranges::sort(entries, {}, &DirectoryEntry::name);
    if (stats != nullptr) stats->assign(entries.size(), {});
    for (std::size_t i = 0; stats != nullptr && i < entries.size(); ++i) {
      struct stat now{};
      if (entries[i].kind == FileKind::file && ::fstatat(opened.get(), entries[i].name.c_str(), &now, follow) == 0)
        (*stats)[i] = to_file_stat(now);
    }
    return entries;
  }

  Result<void> make_directory(std::string_view path) override {
    std::uint32_t top = path.contains('/') ? 0 : writers_;
    // Where only owners may rename, they alone may here.
    struct stat above{};
    if (top != 0 && ::fstat(root(), &above) == 0) top |= above.st_mode & S_ISVTX;
    return at_parent(path, "cannot create the directory", [&](int parent, const char* name) {
      return make_private_directory(parent, name, 0700U | (writers_ << 1U) | (writers_ >> 1U) | top);
    });
  }

  Result<void> make_link(std::string_view from, std::string_view to) override {
    return at_parents(from, to, "cannot link", [](int a, const char* old_name, int b, const char* new_name) {
      return ::linkat(a, old_name, b, new_name, 0);
    });
  }

  Result<void> make_symlink(std::string_view target, std::string_view path) override {
    if (target.empty() || target.size() >= PATH_MAX || target.contains('\0'))
      return fail(Code::invalid_argument, "not a valid target for a symbolic link", absolute(path));
    const std::string text(target);
    return at_parent(path, "cannot create the symbolic link", [&](int parent, const char* name) {
      return ::symlinkat(text.c_str(), parent, name) == 0 ? 0 : errno;
    });
  }

  Result<std::string> read_symlink(std::string_view path) override {
    char target[PATH_MAX];
    std::size_t length = 0;
    HOLDFAST_TRY(at_parent(path, "cannot read the symbolic link", [&](int parent, const char* name) {
      const auto count = ::readlinkat(parent, name, target, sizeof target);
      length = count < 0 ? 0 : static_cast<std::size_t>(count);
      return count < 0 ? errno : 0;
    }));
    return std::string(target, length);
  }

  Result<void> rename(std::string_view from, std::string_view to) override {
    return at_parents(from, to, "cannot rename", ::renameat);
  }

  Result<void> remove(std::string_view path) override {
    return at_parent(path, "cannot remove",
                     [](int parent, const char* name) { return ::unlinkat(parent, name, 0) == 0 ? 0 : errno; });
  }

  Result<void> remove_directory(std::string_view path) override {
    return at_parent(path, "cannot remove the directory", [](int parent, const char* name) {
      return ::unlinkat(parent, name, AT_REMOVEDIR) == 0 ? 0 : errno;
    });
  }

  Result<void> check_writable(std::string_view path) override {
    Descriptor opened;
    if (!path.empty()) {
      HOLDFAST_TRY(check_relative_path(path));
      opened = open_beneath(root(), CPath(path), O_PATH | O_DIRECTORY | O_CLOEXEC, 0, resolve_);
      if (!opened) return error("cannot write to the directory", path);
    }
    if (::faccessat(opened ? opened.get() : root(), ".", W_OK | X_OK, AT_EACCESS) != 0)
      return error("cannot write to the directory", path);
    return {};
  }

  Result<void> sync_directory(std::string_view path) override {
    Descriptor opened;
    if (!path.empty()) {
      HOLDFAST_LET(below, open_names(path, "cannot sync the directory"));
      opened = std::move(below);
    }
    while (::fsync(opened ? opened.get() : root()) != 0)
      if (errno != EINTR) return error("cannot sync the directory", path);
    return {};
  }

 private:
  int root() const { return descriptor_.get(); }

  std::string absolute(std::string_view path) const {
    std::string out = path_;
    if (!path.empty()) out.append(out.ends_with('/') ? "" : "/").append(path);
    return out;
  }

  Failure error(std::string_view what, std::string_view path) const {
    const int number = errno;
    return fail(file_error(number, what, absolute(path)));
  }

  Descriptor open_following(const CPath& text) const {
    int number = -1;
    do number = ::openat(root(), text.get(), flags_of(OpenMode::read));
    while (number < 0 && errno == EINTR);
    return Descriptor(number);
  }

  // Opens a directory below the root, or for "" the root itself with its own file position.
  Result<Descriptor> open_names(std::string_view path, std::string_view what) const {
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    Descriptor opened;
    if (path.empty()) {
      opened = Descriptor(::openat(root(), ".", kFlags));
    } else {
      HOLDFAST_TRY(check_relative_path(path));
      opened = open_beneath(root(), CPath(path), kFlags, 0, resolve_);
    }
    if (!opened) return error(what, path);
    return opened;
  }

  // `call(parent, name)` returns 0 or errno.
  template <typename Call>
  Result<void> at_parent(std::string_view path, std::string_view what, const Call& call) const {
    HOLDFAST_TRY(check_relative_path(path));
    const ParentDirectory parent(root(), path, resolve_);
    if (!parent) return error(what, path);
    if (const int number = call(parent.directory(), parent.name()); number != 0)
      return fail(file_error(number, what, absolute(path)));
    return {};
  }

  // `call(parent, name, parent, name)` returns 0, or another value and sets errno.
  template <typename Call>
  Result<void> at_parents(std::string_view from, std::string_view to, std::string_view what, const Call& call) const {
    HOLDFAST_TRY(check_relative_path(from));
    HOLDFAST_TRY(check_relative_path(to));
    const ParentDirectory source(root(), from, resolve_);
    if (!source) return error(what, from);
    const ParentDirectory target(root(), to, resolve_);
    if (!target) return error(what, to);
    if (call(source.directory(), source.name(), target.directory(), target.name()) == 0) return {};
    return error(what, errno == ENOENT ? from : to);
  }

  Descriptor descriptor_;
  std::string path_;
  Resolve resolve_;
  std::uint32_t writers_;
};

}  // namespace

int make_private_directory(int parent, const char* name, std::uint32_t mode) {
  if (::mkdirat(parent, name, mode) != 0) return errno;
  struct stat made{};
  if (::fstatat(parent, name, &made, AT_SYMLINK_NOFOLLOW) != 0) return errno;
  if ((made.st_mode & (0777U | S_ISVTX)) == mode) return 0;
  // The umask removed bits, or a default ACL added some. Keep the setgid bit inherited from the parent directory.
  if (::fchmodat(parent, name, mode | (made.st_mode & S_ISGID), AT_SYMLINK_NOFOLLOW) == 0 || without_modes(errno))
    return 0;
  return errno;
}

std::unique_ptr<Directory> make_real_directory(Descriptor descriptor, std::string path, Resolve resolve,
                                               std::uint32_t writers) {
  return std::make_unique<RealDirectory>(std::move(descriptor), std::move(path), resolve, writers);
}

}  // namespace holdfast::inline v1
