#include "source/database_state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace holdfast::inline v1 {
namespace {

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::int64_t>(time.tv_nsec);
}

// Opens a file that SQLite keeps beside the database, and that it will open too: a FIFO there would make it wait for
// ever. Returns -1 if there is none.
Result<int> open_beside(const std::string& path, std::string_view what, struct stat& info) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (file < 0 && errno == ENOENT) return -1;
  const bool known = file >= 0 && ::fstat(file, &info) == 0;
  if (known && S_ISREG(info.st_mode)) return file;
  const Failure failure = known ? fail(Code::unsafe_path, "not a plain file", path)
                                : fail(os_error(errno, "cannot examine the " + std::string(what), path));
  if (file >= 0) ::close(file);
  return failure;
}

Result<void> look_at_wal(const std::string& path, DatabaseState& state) {
  struct stat info{};
  HOLDFAST_LET(file, open_beside(path, "write-ahead log", info));
  if (file < 0) return {};
  state.wal_inode = static_cast<std::uint64_t>(info.st_ino);
  state.wal_size = static_cast<std::uint64_t>(info.st_size);
  state.wal_mtime_ns = nanoseconds(info.st_mtim);
  state.has_wal = info.st_size > 0;
  if (::pread(file, state.wal_header.data(), state.wal_header.size(), 0) < 0) state.wal_header = {};
  ::close(file);
  return {};
}

void look_at_wal_index(const std::string& path, DatabaseState& state) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (file < 0) return;
  if (::pread(file, state.wal_index.data(), state.wal_index.size(), 0) < 0) state.wal_index = {};
  ::close(file);
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

// The number of journaled pages is written, and synced, before the first of these pages is changed. A journal of
// another beginning is not one, or is no longer needed.
Result<void> look_at_journal(const std::string& path, DatabaseState& state) {
  constexpr std::string_view kMagic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  struct stat info{};
  HOLDFAST_LET(file, open_beside(path, "rollback journal", info));
  if (file < 0) return {};
  std::array<char, 12> head{};
  const bool whole = ::pread(file, head.data(), head.size(), 0) == static_cast<ssize_t>(head.size());
  ::close(file);
  const std::string_view bytes(head.data(), head.size());
  state.half_changed = whole && bytes.starts_with(kMagic) && big_endian(bytes.substr(kMagic.size())) > 0;
  return {};
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
  HOLDFAST_TRY(look_at_journal(absolute_path + "-journal", state));
  return state;
}

Error unfinished_transaction(const std::string& absolute_path) {
  const std::string name = absolute_path.substr(absolute_path.rfind('/') + 1);
  return {Code::storage_unavailable,
          "a transaction is unfinished: " + name + "-journal has what pages of " + name +
              " were before it; the database can be read once its agent, which may have to be started for it, has "
              "finished or undone the transaction",
          absolute_path};
}

std::string describe_cut(const std::string& absolute_path) {
  using namespace std::string_view_literals;
  constexpr std::string_view kMagic = "SQLite format 3\0"sv;
  const int file = ::open(absolute_path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (file < 0) return {};
  struct stat info{};
  std::array<char, 100> head{};
  const bool known = ::fstat(file, &info) == 0 && ::pread(file, head.data(), head.size(), 0) > 0;
  ::close(file);
  const auto size = static_cast<std::uint64_t>(info.st_size);
  const std::string_view bytes(head.data(), head.size());
  if (!known || !bytes.starts_with(kMagic.substr(0, size))) return {};
  if (size < head.size()) return "only " + std::to_string(size) + " bytes are left";
  const std::string_view changed = bytes.substr(24, 4), counted = bytes.substr(92, 4);
  if (changed != counted) return {};  // an old SQLite changed it and did not count the pages
  const std::uint64_t page = big_endian(bytes.substr(16, 2));
  const std::uint64_t whole = (page == 1 ? 65536 : page) * big_endian(bytes.substr(28, 4));
  return size < whole ? std::to_string(size) + " of " + std::to_string(whole) + " bytes are left" : std::string();
}

}  // namespace holdfast::inline v1
