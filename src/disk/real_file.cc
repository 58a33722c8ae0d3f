#include "disk/real_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "disk/file_times.h"
#include "disk/real_lock_queue.h"
#include "disk/reserve_space.h"

namespace holdfast::inline v1 {
namespace {

// The most that one write(2) takes on Linux; more would silently be cut short.
constexpr std::size_t kMaxWrite = 0x7ffff000;

// Every method is just its system call until that fails.
class RealFile final : public File, public ReservesSpace, public SetsFileTimes {
 public:
  RealFile(Descriptor descriptor, OpenMode mode, std::string path)
      : descriptor_(std::move(descriptor)),
        appends_(mode == OpenMode::append || mode == OpenMode::create_append),
        path_(std::move(path)) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    std::size_t done = 0;
    while (done < into.size()) {
      const auto count = ::pread(fd(), into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
      if (count == 0) break;
      if (count > 0)
        done += static_cast<std::size_t>(count);
      else if (errno != EINTR)
        return error("cannot read");
    }
    return done;
  }

  Result<std::size_t> append(std::string_view bytes) override {
    if (!appends_) return wrong_mode("appending");
    if (bytes.size() > kMaxWrite) return fail(Code::too_large, "cannot append more than 2 GiB in one write", path_);
    while (true) {
      const auto count = ::write(fd(), bytes.data(), bytes.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) return error("cannot append");
    }
  }

  Result<void> reserve(std::uint64_t bytes) override {
    struct stat now{};
    if (::fstat(fd(), &now) != 0) return error("cannot examine");
    const auto end = static_cast<std::uint64_t>(now.st_size);
    struct rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && bytes > 0 &&
        (end >= limit.rlim_cur || bytes > limit.rlim_cur - end))
      return fail(file_error(EFBIG, "cannot append", path_));
    while (::fallocate(fd(), FALLOC_FL_KEEP_SIZE, now.st_size, static_cast<off_t>(bytes)) != 0) {
      if (errno == EINTR) continue;
      if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) return error("cannot append");
      break;  // not supported by this file system
    }
    return {};
  }

  // After an O_APPEND write, the kernel leaves the position at the end of the written bytes.
  std::uint64_t append_end() const override { return static_cast<std::uint64_t>(::lseek(fd(), 0, SEEK_CUR)); }

  // Linux ignores the offset of pwrite on an O_APPEND descriptor, so the bytes would land elsewhere: refuse.
  Result<void> write_at(std::uint64_t offset, std::string_view bytes) override {
    if (appends_) return wrong_mode("writing in place");
    while (!bytes.empty()) {
      const auto count = ::pwrite(fd(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (count < 0 && errno != EINTR) return error("cannot write");
      if (count == 0) return fail(file_error(EIO, "cannot write", path_));
      if (count > 0) {
        bytes.remove_prefix(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
      }
    }
    return {};
  }

  Result<void> truncate(std::uint64_t size) override {
    while (::ftruncate(fd(), static_cast<off_t>(size)) != 0)
      if (errno != EINTR) return error("cannot truncate");
    return {};
  }

  Result<void> sync() override {
    while (::fdatasync(fd()) != 0)
      if (errno != EINTR) return error("cannot sync");
    return {};
  }

  Result<void> drop_cache() override {
    if (const int number = ::posix_fadvise(fd(), 0, 0, POSIX_FADV_DONTNEED); number != 0)
      return fail(file_error(number, "cannot drop the cache", path_));
    return {};
  }

  Result<FileStat> stat() override {
    struct stat now{};
    if (::fstat(fd(), &now) != 0) return error("cannot examine");
    return to_file_stat(now);
  }

  Result<void> set_mode(std::uint32_t mode) override {
    if (::fchmod(fd(), static_cast<mode_t>(mode & 07777U)) != 0) return error("cannot set the mode");
    return {};
  }

  Result<void> set_modified(std::int64_t ns) override {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const std::int64_t part = ((ns % kSecond) + kSecond) % kSecond;
    const struct timespec times[2] = {{0, UTIME_OMIT}, {static_cast<time_t>((ns - part) / kSecond), part}};
    if (::futimens(fd(), times) != 0) return error("cannot set the time");
    return {};
  }

  Result<bool> try_lock(LockKind kind) override {
    if (line_.occupied()) return false;
    while (::flock(fd(), (kind == LockKind::shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return false;
      if (errno != EINTR) return error("cannot lock");
    }
    return true;
  }

  void unlock() override { ::flock(fd(), LOCK_UN); }

  Result<bool> lock_in_line(LockKind kind, std::chrono::nanoseconds time) override {
    auto locked = line_.wait(fd(), kind, time);
    if (!locked) locked.error().path = path_;
    return locked;
  }

  void leave_line() override { line_.leave(fd()); }

 private:
  int fd() const { return descriptor_.get(); }

  Failure error(std::string_view what) const { return fail(file_error(errno, what, path_)); }

  Failure wrong_mode(std::string_view use) const {
    return fail(Code::invalid_argument, "the file was not opened for " + std::string(use), path_);
  }

  Descriptor descriptor_;
  bool appends_;
  std::string path_;
  LockQueue line_;
};

}  // namespace

std::unique_ptr<File> make_real_file(Descriptor descriptor, OpenMode mode, std::string path) {
  return std::make_unique<RealFile>(std::move(descriptor), mode, std::move(path));
}

}  // namespace holdfast::inline v1
