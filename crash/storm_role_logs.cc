// The storm's children that write and read logs.
#include <fcntl.h>
#include <holdfast/append_log.h>
#include <holdfast/log_reader.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "lab.h"
#include "storm_roles.h"

namespace holdfast::lab {
namespace {

const Context kContext;

// Appends from one thread. Durability `none` acknowledges nothing: such a record counts once sync() has succeeded.
bool append_loop(AppendLog& log, const Job& job, std::uint64_t writer) {
  Random random(job.seed ^ (writer * 77));
  std::vector<std::uint64_t> accepted;
  for (std::uint64_t sequence = 0; job.limit == 0 || sequence < job.limit;) {
    const std::uint64_t first = sequence;
    std::vector<std::string> records;
    for (std::uint64_t left = random.chance(15) ? 1 + random.below(6) : 1; left > 0; --left, ++sequence) {
      records.push_back(make_record(job.seed, {writer, sequence}, Profile::storm));
      report({Kind::intent, 0, writer, sequence, UINT64_MAX, {}});
    }
    const std::vector<std::string_view> views(records.begin(), records.end());
    const auto draw = random.below(100);
    const auto durability = draw < 40 ? Durability::power : draw < 95 ? Durability::process : Durability::none;
    const auto ack = log.append(kContext, views, durability);
    if (!ack) return trouble(job, false, ack.error().text()), false;
    if (durability == Durability::none) {
      for (auto i = first; i < sequence; ++i) accepted.push_back(i);
    } else {
      std::uint64_t offset = ack->offset;
      for (std::size_t i = 0; i < records.size(); ++i) {
        report({Kind::ack, 0, writer, first + i, offset, {}});
        offset += records[i].size() + 1;
      }
    }
    if (accepted.empty() || !random.chance(30)) continue;
    if (auto synced = log.sync(kContext); !synced) return trouble(job, false, synced.error().text()), false;
    for (const auto number : accepted) report({Kind::ack, 0, writer, number, UINT64_MAX, {}});
    accepted.clear();
  }
  return true;
}

std::unique_ptr<AppendLog> open_log(const Job& job) {
  const auto root = open_root(job, job.root);
  if (!root) return nullptr;
  LogOptions options;
  options.mode = job.shared ? LogMode::shared : LogMode::ours;
  options.sync_interval = std::chrono::milliseconds(5);  // so that it happens within a short life
  auto log = AppendLog::open(kContext, *root, job.path, options);
  if (!log) return trouble(job, true, log.error().text()), nullptr;
  report({Kind::opened, 0, job.writer, 0, UINT64_MAX, {}});
  return std::move(*log);
}

int open_plain(const Job& job) {
  const int fd = ::open((job.root + "/" + job.path).c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) trouble(job, true, "open O_APPEND failed");
  return fd;
}

bool write_plain(const Job& job, int fd, const std::string& line) {
  if (::write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size())) return true;
  trouble(job, false, "write came back short");
  return false;
}

}  // namespace

int role_append(const Job& job) {
  const auto log = open_log(job);
  if (!log) return 1;
  bool ok = true;
  bool second_ok = true;
  {
    std::jthread second;
    if (job.writer % 8 == 0) second = std::jthread([&] { second_ok = append_loop(*log, job, job.writer + 1); });
    ok = append_loop(*log, job, job.writer);
  }
  if (!ok || !second_ok) return 1;
  if (auto closed = log->close(kContext); !closed) return trouble(job, false, closed.error().text());
  report({Kind::finished, 0, job.writer, job.limit, UINT64_MAX, {}});
  return 0;
}

int role_foreign(const Job& job) {
  const int fd = open_plain(job);
  if (fd < 0) return 1;
  report({Kind::opened, 0, job.writer, 0, UINT64_MAX, {}});
  for (std::uint64_t sequence = 0; job.limit == 0 || sequence < job.limit; ++sequence) {
    const std::string line = make_record(job.seed, {job.writer, sequence}, Profile::storm) + "\n";
    report({Kind::intent, 0, job.writer, sequence, UINT64_MAX, {}});
    if (!write_plain(job, fd, line)) return 1;
    report({Kind::ack, 0, job.writer, sequence, UINT64_MAX, {}});
  }
  return 0;
}

int role_soak(const Job& job) {
  const auto log = open_log(job);
  if (!log) return 1;
  Random random(job.seed ^ job.writer);
  for (std::uint64_t sequence = 0; sequence < job.limit; ++sequence) {
    const std::string record = make_record(job.seed, {job.writer, sequence}, Profile::soak);
    const auto ack = log->append(kContext, record, random.below(200) == 0 ? Durability::power : Durability::process);
    if (!ack) return trouble(job, false, ack.error().text());
  }
  if (auto closed = log->close(kContext); !closed) return trouble(job, false, closed.error().text());
  report({Kind::finished, 0, job.writer, job.limit, UINT64_MAX, {}});
  return 0;
}

int role_soak_foreign(const Job& job) {
  const int fd = open_plain(job);
  if (fd < 0) return 1;
  for (std::uint64_t sequence = 0; sequence < job.limit; ++sequence)
    if (!write_plain(job, fd, make_record(job.seed, {job.writer, sequence}, Profile::soak) + "\n")) return 1;
  report({Kind::finished, 0, job.writer, job.limit, UINT64_MAX, {}});
  return 0;
}

// Reports what it read, so the oracle can demand that it stays; complains about what no reader should ever see.
int role_read(const Job& job) {
  Random random(job.seed ^ (job.writer * 991));
  RootOptions options;
  options.write = false;
  const auto root = Root::open(kContext, real_file_system(), job.root, options);
  if (!root) return trouble(job, true, root.error().text());
  report({Kind::opened, 0, job.writer, 0, UINT64_MAX, {}});
  while (true) {
    ReadOptions how;
    how.check = !job.shared && random.chance(30) ? Check::framing : Check::whole;
    how.accept_salvaged = [](std::string_view piece) { return name_of(piece).has_value(); };
    struct stat stat{};
    if (::stat((job.root + "/" + job.path).c_str(), &stat) == 0 && stat.st_size > 0 && random.chance(80))
      how.from = random.below(static_cast<std::uint64_t>(stat.st_size));
    auto reader = LogReader::open(kContext, (*root)->directory(), job.path, how);
    if (!reader && reader.error().code == Code::not_found) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    if (!reader) return trouble(job, true, reader.error().text());
    for (int polls = 0; polls < 200; ++polls) {
      Record record;
      while (true) {
        const auto more = reader->next(record);
        if (!more) return trouble(job, false, "reading: " + more.error().text());
        if (!*more) break;
        if (!is_intact(record.bytes, job.seed, Profile::storm))
          return trouble(job, false, "a reader saw an altered line at " + std::to_string(record.offset));
        const auto name = *name_of(record.bytes);
        report({Kind::seen, 0, name.writer, name.sequence, record.offset, {}});
      }
      if (!job.shared && !reader->damage().empty()) {
        const Damage& damage = reader->damage().front();
        return trouble(job, false,
                       "a reader saw damage (" + std::string(damage_kind_name(damage.kind)) + ") at " +
                           std::to_string(damage.offset) + "+" + std::to_string(damage.length) + " of our log");
      }
      std::this_thread::sleep_for(std::chrono::microseconds(random.below(400)));
    }
  }
}

// Replaces the file of a log with a copy, holding the lock of the old one:
// every writer must notice that its open file has lost the name.
int role_compact(const Job& job) {
  Random random(job.seed ^ (job.writer * 43));
  const std::string path = job.root + "/" + job.path;
  report({Kind::opened, 0, job.writer, 0, UINT64_MAX, {}});
  for (std::uint64_t turn = 0;; ++turn) {
    std::this_thread::sleep_for(std::chrono::microseconds(500 + random.below(5'000)));
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) continue;
    struct stat held{};
    struct stat named{};
    if (::flock(fd, LOCK_EX) != 0 || ::fstat(fd, &held) != 0 || ::stat(path.c_str(), &named) != 0 ||
        held.st_ino != named.st_ino) {
      ::close(fd);
      continue;
    }
    const std::string copy = path + ".copy." + std::to_string(job.writer) + "." + std::to_string(turn);
    const int out = ::open(copy.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (out < 0) return trouble(job, false, "cannot create the copy");
    bool whole = true;
    for (off_t at = 0; whole && at < held.st_size;)
      whole = ::copy_file_range(fd, &at, out, nullptr, static_cast<std::size_t>(held.st_size - at), 0) > 0;
    ::fdatasync(out);
    ::close(out);
    if (!whole || ::rename(copy.c_str(), path.c_str()) != 0) return trouble(job, false, "cannot copy the log");
    ::close(fd);
  }
}

}  // namespace holdfast::lab
