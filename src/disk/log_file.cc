#include "disk/log_file.h"

#include <algorithm>
#include <utility>

#include "disk/lock_wait.h"
#include "disk/log_tail.h"
#include "disk/reserve_space.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

// A write that stops short is followed by another one for the rest, which
// either fails with the reason (ENOSPC) or succeeds (after a signal). If that
// happens more often than this, the system is broken.
constexpr int kWriteAttempts = 3;

Error partly(Error error, std::size_t done, bool together) {
  if (done == 0) return error;
  error.message.append("; ").append(std::to_string(done)).append(" records of the batch are whole in the log");
  if (together) {
    error.code = Code::durability_unknown;
    error.message.append(" and cannot be removed: check the log before you retry");
  }
  return error;
}

// Like Root::sync_name, but does not create the directory again if it was removed together with the log.
Result<void> sync_name_of_existing(Root& root, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string parent = slash == std::string::npos ? std::string() : path.substr(0, slash);
  if (parent.empty() || root.distrusted(parent)) return root.sync_name(path);
  HOLDFAST_LET(folder, root.directory().stat(parent));
  HOLDFAST_TRY(root.sync_name_once(parent, folder.inode));
  return root.directory().sync_directory(parent);
}

}  // namespace

LogFile::LogFile(std::shared_ptr<Root> root, std::string path, LogOptions options)
    : root_(std::move(root)), path_(std::move(path)), options_(options) {}

Result<LogFile> LogFile::open(const Context& context, std::shared_ptr<Root> root, std::string path,
                              LogOptions options) {
  LogFile log(std::move(root), std::move(path), options);
  // The folder for the mark of a failed sync must not depend on a failed sync
  // itself. Other failures do not matter here.
  if (does(Step::log_side_folder)) {
    auto side = log.root_->ensure_directory(log.root_->options().side);
    if (!side && side.error().code == Code::io_error) return fail(std::move(side).error());
  }
  Directory& directory = log.root_->directory();
  bool created = false;
  bool may_create = options.create;
  while (true) {
    HOLDFAST_TRY(context.check());
    auto file = directory.open(log.path_, OpenMode::append);
    if (!file && file.error().code == Code::not_found && may_create) {
      if (const auto slash = log.path_.rfind('/'); slash != std::string::npos)
        HOLDFAST_TRY(log.root_->ensure_directory(std::string_view(log.path_).substr(0, slash)));
      file = directory.open(log.path_, OpenMode::create_append);
      if (!file && file.error().code == Code::already_exists) continue;
      created = file.has_value();
    }
    if (!file) return fail(std::move(file).error());
    log.file_ = std::move(*file);
    log.identity_.reset();
    if (!does(Step::log_name_anew) || !log.root_->distrusted("name of " + log.path_)) break;
    if (!log.remove_if_empty()) return fail(Code::poisoned, "the name of this log could not be synced", log.path_);
    log.root_->trust("name of " + log.path_);
    may_create = true;  // the empty file was the log
  }
  if (does(Step::log_name_sync)) HOLDFAST_TRY(log.make_name_durable(context, created));
  log.open_side_car(context);
  return log;
}

// Advisory: a side-car that cannot be opened stops nothing.
void LogFile::open_side_car(const Context& context) {
  side_car_.reset();
  own_end_ = kUnknown;
  if (!options_.checksums) return;
  if (auto side_car = SideCar::open(context, *root_, path_)) side_car_.emplace(std::move(*side_car));
}

bool LogFile::remove_if_empty() {
  const auto now = size();
  return now && *now == 0 && root_->directory().remove(path_).has_value();
}

// Also if the file existed: its creator may have died before syncing the name (I-18).
Result<void> LogFile::make_name_durable(const Context& context, bool created) {
  auto synced = created ? root_->sync_name(path_) : sync_name_of_existing(*root_, path_);
  if (synced || !created || !does(Step::log_name_anew)) return synced;
  // A second sync of the directory cannot be trusted (I-7), so the name must be
  // created again. A process that opened the file in the meantime finds it gone
  // when it takes the lock.
  root_->distrust("name of " + path_);
  if (lock(context)) {
    if (remove_if_empty()) root_->trust("name of " + path_);
    unlock();
  }
  return synced;
}

Result<void> LogFile::reopen() {
  HOLDFAST_LET(file, root_->directory().open(path_, OpenMode::append));
  file_ = std::move(file);
  identity_.reset();
  clean_end_ = buffer_end_ = kUnknown;
  // Whoever gave the log another file dropped the checksums of the previous one.
  open_side_car({});
  return {};
}

Result<void> LogFile::lock(const Context& context) {
  RankHold rank(LockRank::log);
  while (true) {
    if (does(Step::log_lock)) HOLDFAST_TRY(wait_for_lock(context, *file_, LockKind::exclusive, path_));
    if (!does(Step::log_inode_check)) {
      rank_ = std::move(rank);
      return {};
    }
    if (!identity_) {
      HOLDFAST_LET(held, file_->stat());
      identity_ = held;
    }
    auto named = root_->directory().stat_without_times(path_);
    if (named && identity_->same_file(*named)) {
      size_at_lock_ = named->size;
      rank_ = std::move(rank);
      return {};
    }
    file_->unlock();
    if (!named) return fail(std::move(named).error());
    HOLDFAST_TRY(context.check());
    HOLDFAST_TRY(reopen());
  }
}

void LogFile::unlock() {
  size_at_lock_.reset();
  file_->unlock();
  rank_.drop();
  run_deferred_work();
}

Result<std::uint64_t> LogFile::size() {
  HOLDFAST_LET(stat, file_->stat());
  return stat.size;
}

Result<bool> LogFile::ends_in_fragment() {
  const auto at_lock = std::exchange(size_at_lock_, std::nullopt);
  HOLDFAST_LET(end, at_lock ? Result<std::uint64_t>(*at_lock) : size());
  if (end == 0 || end == clean_end_ || !does(Step::log_last_byte_check)) return false;
  char last = 0;
  HOLDFAST_LET(count, file_->read_at(end - 1, std::span(&last, 1)));
  if (count == 1 && last != '\n') return true;
  clean_end_ = end;
  return false;
}

Result<void> LogFile::repair_tail(const Context& context) {
  if (options_.mode == LogMode::shared) return {};
  HOLDFAST_LET(torn, ends_in_fragment());
  if (!torn) return {};
  HOLDFAST_LET(finding, mend_tail(context, *root_, path_, *file_, options_.max_line));
  findings_.push_back(std::move(finding));
  return {};
}

Result<void> LogFile::end_line() {
  HOLDFAST_LET(torn, ends_in_fragment());
  if (!torn) return {};
  clean_end_ = buffer_end_ = kUnknown;
  HOLDFAST_LET(count, file_->append("\n"));
  return count == 1 ? Result<void>{} : fail(Code::io_error, "cannot terminate the last line", path_);
}

Result<std::string> LogFile::last_record(const Context& context) {
  HOLDFAST_LET(end, size());
  if (end == buffer_end_) {  // nobody has written since our last write
    const std::string_view lines = std::string_view(buffer_).substr(0, buffer_.size() - 1);
    return std::string(lines.substr(lines.rfind('\n') + 1));
  }
  ReadOptions options;
  options.max_line = options_.max_line;
  HOLDFAST_LET(tail, read_last(context, root_->directory(), path_, 1, options));
  return tail.records.empty() ? std::string{} : std::move(tail.records.back().bytes);
}

// Cuts bytes that this very call wrote, if nothing was written after them. The
// caller still has a copy.
bool LogFile::roll_back(std::uint64_t fragment, std::uint64_t end) {
  clean_end_ = kUnknown;
  if (options_.mode == LogMode::shared || !does(Step::log_roll_back)) return false;
  const auto now = size();
  if (!now || (*now != end && does(Step::log_roll_back_look))) return false;
  // If even this fails, the next write detects the fragment by its last byte.
  if (!file_->truncate(fragment)) return false;
  clean_end_ = fragment;
  return true;
}

void LogFile::cover(std::uint64_t start, std::string_view bytes) {
  if (!side_car_ || bytes.empty()) return;
  // Nobody has written to the log since our last write, so nobody has written to its side-car.
  const bool alone = start == own_end_;
  own_end_ = start + bytes.size();
  if (!side_car_->add(start, bytes, alone)) side_car_.reset();
}

Result<Extent> LogFile::write(const Context& context, std::span<const std::string_view> records, bool together) {
  std::uint64_t offset = kUnknown;
  std::size_t done = 0;
  landed_ = {};
  for (int attempt = 0; attempt < kWriteAttempts; ++attempt) {
    HOLDFAST_TRY(repair_tail(context));
    buffer_.clear();
    buffer_end_ = kUnknown;
    if (options_.mode == LogMode::shared && does(Step::log_newline_prefix)) {
      HOLDFAST_LET(torn, ends_in_fragment());
      if (torn) buffer_.push_back('\n');
    }
    const std::size_t prefix = buffer_.size();
    for (const auto record : records.subspan(done)) buffer_.append(record).push_back('\n');
    // A partial batch is worse than none, and a shared log cannot be truncated.
    if (together && done == 0) HOLDFAST_TRY(reserve_space(*file_, buffer_.size()));
    auto written = file_->append(buffer_);
    std::size_t count = written ? *written : 0;
    std::uint64_t end = file_->append_end();
    if (options_.mode == LogMode::ours && count > 0 && count < buffer_.size()) {
      // A short write does not report its reason. Writing the rest either
      // succeeds (after a signal) or fails with the reason. If we rolled back
      // first, the same write would stop short again.
      written = file_->append(std::string_view(buffer_).substr(count));
      const std::size_t rest = written ? *written : 0;
      if (rest > 0 && file_->append_end() == end + rest) {
        count += rest;
        end += rest;
      }
    }
    const std::uint64_t start = end - count;
    if (offset == kUnknown && count > prefix) offset = start + prefix;
    if (count == buffer_.size()) {
      clean_end_ = buffer_end_ = end;
      cover(start + prefix, std::string_view(buffer_).substr(prefix));
      return Extent{offset, end};
    }
    if (together && done == 0 && count > 0 && roll_back(start, end)) {
      offset = kUnknown;
      if (!written) return fail(std::move(written).error());
      continue;
    }
    // Whole lines of a short write stay: somebody may have read them (I-4).
    const std::size_t newline = std::string_view(buffer_).substr(0, count).rfind('\n');
    const std::size_t whole = newline == std::string::npos ? 0 : newline + 1;
    if (whole > prefix) {
      const auto lines = std::string_view(buffer_).substr(prefix, whole - prefix);
      done += static_cast<std::size_t>(std::ranges::count(lines, '\n'));
      cover(start + prefix, lines);
      landed_ = {done, start + whole};
    }
    if (count > whole) roll_back(start + whole, end);
    if (!written) {
      Error error = std::move(written).error();
      return fail(partly(std::move(error), done, together));
    }
  }
  return fail(partly({Code::io_error, "the system keeps writing less than it was asked to", path_, 0}, done, together));
}

}  // namespace holdfast::inline v1
