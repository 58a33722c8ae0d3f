#include "source/database_state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace holdfast::inline v1 {
namespace {

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::int64_t>(time.tv_nsec);
}

Result<void> look_at_wal(const std::string& path, DatabaseState& state) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (file < 0) {
    if (errno == ENOENT) return {};
    return fail(os_error(errno, "cannot examine the write-ahead log", path));
  }
  struct stat info{};
  const bool known = ::fstat(file, &info) == 0;
  if (known) {
    state.wal_inode = static_cast<std::uint64_t>(info.st_ino);
    state.wal_size = static_cast<std::uint64_t>(info.st_size);
    state.wal_mtime_ns = nanoseconds(info.st_mtim);
    state.has_wal = info.st_size > 0;
    if (::pread(file, state.wal_header.data(), state.wal_header.size(), 0) < 0) state.wal_header = {};
  }
  ::close(file);
  return {};
}

void look_at_wal_index(const std::string& path, DatabaseState& state) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (file < 0) return;
  if (::pread(file, state.wal_index.data(), state.wal_index.size(), 0) < 0) state.wal_index = {};
  ::close(file);
}

}  // namespace

bool DatabaseState::still_holds(const DatabaseState& before) const {
  DatabaseState now = *this;
  if (before.has_wal && wal_size >= before.wal_size) now.wal_size = before.wal_size;
  now.wal_mtime_ns = before.wal_mtime_ns;
  now.wal_index = before.wal_index;
  return now == before;
}

Result<DatabaseState> read_database_state(const std::string& absolute_path) {
  DatabaseState state;
  struct stat info{};
  if (::stat(absolute_path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return state;
    return fail(os_error(errno, "cannot examine the database", absolute_path));
  }
  if (!S_ISREG(info.st_mode)) return fail(Code::unsafe_path, "not a plain file", absolute_path);
  state.exists = true;
  state.device = static_cast<std::uint64_t>(info.st_dev);
  state.inode = static_cast<std::uint64_t>(info.st_ino);
  state.size = static_cast<std::uint64_t>(info.st_size);
  state.mtime_ns = nanoseconds(info.st_mtim);
  state.ctime_ns = nanoseconds(info.st_ctim);
  HOLDFAST_TRY(look_at_wal(absolute_path + "-wal", state));
  if (state.has_wal) look_at_wal_index(absolute_path + "-shm", state);
  return state;
}

}  // namespace holdfast::inline v1
