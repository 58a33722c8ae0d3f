#include <holdfast/append_log.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <new>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "base/start_thread.h"
#include "disk/log_file.h"
#include "disk/poison.h"
#include "disk/steps.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

// Limits on memory: copies of unsynced bytes, and records accepted with durability `none`.
constexpr std::size_t kMaxUnsynced = std::size_t{4} << 20;
constexpr std::size_t kMaxAccepted = std::size_t{8} << 20;

Result<void> check_record(std::string_view record, const LogOptions& options, const std::string& path) {
  if (record.size() > options.max_line)
    return fail(Code::too_large,
                "a record of " + std::to_string(record.size()) + " bytes is over the limit of " +
                    std::to_string(options.max_line),
                path);
  if (is_json_object_line(record)) return {};
  const JsonCheck found = check_json(record);
  const auto name = found.ok() ? std::string_view("not an object on one line") : json_fault_name(found.fault);
  return fail(Code::invalid_record,
              "a record must be one JSON object without raw control bytes; this one is broken at byte " +
                  std::to_string(found.at) + " (" + std::string(name) + ")",
              path);
}

}  // namespace

std::string_view durability_name(Durability durability) {
  static constexpr std::array<std::string_view, 3> kNames{"none", "process", "power"};
  return kNames[static_cast<std::size_t>(durability)];
}

// Two stages, so a record that needs no sync never waits for one: writes are
// serialized by write_mutex; a sync is shared by all threads whose writes it
// covers. Lock order: write_mutex, root lock, log lock; sync_mutex is never
// held while another lock is taken.
namespace {

// Unlocks the log whatever happens under its lock, even a failed allocation.
struct Unlock {
  explicit Unlock(LogFile& locked) : log(locked) {}
  ~Unlock() { log.unlock(); }
  Unlock(const Unlock&) = delete;
  Unlock& operator=(const Unlock&) = delete;
  LogFile& log;
};

// How a line begins, and where. Somebody may cut a log, and it grows again: then another line is there. Needs no
// memory, so remembering a line that is in the log already cannot fail.
class LineMark {
 public:
  static constexpr std::size_t kMost = 64;

  void set(std::uint64_t offset, std::uint64_t end, std::string_view line) {
    offset_ = offset;
    end_ = end;
    size_ = std::min(line.size(), kMost);
    std::ranges::copy(line.substr(0, size_), begin_.begin());
  }
  void clear() { end_ = UINT64_MAX; }
  std::uint64_t end() const { return end_; }
  Result<bool> is_in(File& file, std::uint64_t size) const {
    if (end_ > size) return false;
    std::array<char, kMost> found{};
    HOLDFAST_LET(count, file.read_at(offset_, std::span(found).first(size_)));
    return count == size_ && std::ranges::equal(std::span(found).first(size_), std::span(begin_).first(size_));
  }

 private:
  std::uint64_t offset_ = 0;
  std::uint64_t end_ = UINT64_MAX;  // UINT64_MAX: none
  std::size_t size_ = 0;
  std::array<char, kMost> begin_{};
};

}  // namespace

struct HOLDFAST_HIDDEN AppendLog::Impl {
  Impl(std::shared_ptr<Root> root_in, LogFile log_in)
      : root(std::move(root_in)), log(std::move(log_in)), poison(*root, log.path()) {}

  std::shared_ptr<Root> root;

  LogFile log;  // path and options never change; everything else requires write_mutex

  Mutex write_mutex{LockRank::log_writes};
  Poison poison HOLDFAST_GUARDED_BY(write_mutex);
  bool closed HOLDFAST_GUARDED_BY(write_mutex) = false;
  // Sequence number of the last write.
  std::uint64_t written HOLDFAST_GUARDED_BY(write_mutex) = 0;
  // Every byte before this offset was covered by a successful sync; UINT64_MAX if unknown.
  std::uint64_t durable_end HOLDFAST_GUARDED_BY(write_mutex) = UINT64_MAX;
  // How often that turned out to be about bytes that are no longer in the log.
  std::uint64_t forgotten HOLDFAST_GUARDED_BY(write_mutex) = 0;
  // The last line that we wrote or acknowledged.
  LineMark last_line HOLDFAST_GUARDED_BY(write_mutex);
  // Our bytes that no successful sync has covered.
  Unsynced unsynced HOLDFAST_GUARDED_BY(write_mutex);
  // Identity of the file that the last write went to.
  std::optional<FileStat> last_in HOLDFAST_GUARDED_BY(write_mutex);
  // Records accepted with durability `none` and not yet written.
  std::vector<std::string> accepted HOLDFAST_GUARDED_BY(write_mutex);
  std::size_t accepted_bytes HOLDFAST_GUARDED_BY(write_mutex) = 0;

  Mutex sync_mutex;
  Condition sync_done;
  bool syncing HOLDFAST_GUARDED_BY(sync_mutex) = false;
  // Sequence numbers up to which everything is durable, and up to which a sync was tried and failed.
  std::uint64_t durable HOLDFAST_GUARDED_BY(sync_mutex) = 0;
  std::uint64_t failed HOLDFAST_GUARDED_BY(sync_mutex) = 0;

  mutable Mutex findings_mutex;
  std::vector<Finding> findings HOLDFAST_GUARDED_BY(findings_mutex);

  Mutex flusher_mutex;  // guards starting, waking and ending the flusher
  std::condition_variable_any flusher_wake;
  std::atomic<bool> flusher_due{false};
  std::jthread flusher;  // declared last, so it is joined first

  Result<void> ready(const Context& context) HOLDFAST_REQUIRES(write_mutex);
  Result<void> forget_replaced() HOLDFAST_REQUIRES(write_mutex);
  void forget_durable() HOLDFAST_REQUIRES(write_mutex);
  Result<Extent> write(const Context& context, std::span<const std::string_view> records, std::uint64_t& sequence)
      HOLDFAST_REQUIRES(write_mutex);
  void keep_unwritten(Landed landed) HOLDFAST_REQUIRES(write_mutex);
  Result<Extent> cover(std::string_view last, std::uint64_t& sequence) HOLDFAST_REQUIRES(write_mutex);
  Result<void> flush(const Context& context) HOLDFAST_REQUIRES(write_mutex);
  Result<void> sync_to(std::uint64_t sequence);
  Result<void> sync_once(std::uint64_t& target);
  void collect_findings();
  void flush_in_background();
  bool schedule_flush();
  Result<Ack> accept(const Context& context, std::span<const std::string_view> records);
  Result<Ack> finish(Extent extent, std::uint64_t sequence, Durability durability);
};

// Requires the log's lock. Other bytes may be at the offsets of ours by now: the first line was replaced
// (replace_head), or the log was emptied, in place or by a new file, and has grown again. Repairing one of our own
// logs keeps the same bytes.
Result<void> AppendLog::Impl::forget_replaced() {
  if (!does(Step::log_forget_replaced)) return {};
  HOLDFAST_LET(gone, unsynced.drop_replaced_bytes(*log.shared_file()));
  if (gone == 0) return {};
  forget_durable();
  const ScopedLock guard(findings_mutex);
  findings.push_back({log.path(),
                      0,
                      gone,
                      "replaced",
                      "the log was replaced or truncated after these bytes were written; they are gone with it",
                      {}});
  return {};
}

// What was durable is not what is in the log now; neither is what a sync covers that is still under way.
void AppendLog::Impl::forget_durable() {
  durable_end = 0;
  ++forgotten;
}

// Never writes behind a suspect region (I-7).
Result<void> AppendLog::Impl::ready(const Context& context) {
  if (closed) return fail(Code::invalid_argument, "the log was closed", log.path());
  if (!poison.marked(*root)) return {};
  {
    HOLDFAST_TRY(log.lock(context));
    const Unlock locked{log};
    HOLDFAST_TRY(forget_replaced());
  }
  HOLDFAST_TRY(poison.mend(context, log, durable_end, unsynced));
  unsynced.clear();
  const ScopedLock guard(sync_mutex);
  durable = written;
  return {};
}

// After a write stopped short: drops the records of `accepted` that it did write.
void AppendLog::Impl::keep_unwritten(Landed landed) {
  if (landed.lines == 0) return;
  unsynced.add(++written, landed.end, {});
  const auto from = accepted.begin();
  const auto to = from + static_cast<std::ptrdiff_t>(std::min(landed.lines, accepted.size()));
  for (auto record = from; record != to; ++record) accepted_bytes -= record->size();
  accepted.erase(from, to);
}

// Requires the log's lock. Writes the records that were accepted in memory first.
Result<Extent> AppendLog::Impl::write(const Context& context, std::span<const std::string_view> records,
                                      std::uint64_t& sequence) {
  std::vector<std::string_view> all;
  std::span<const std::string_view> lines = records;
  std::uint64_t skip = 0;
  if (!accepted.empty()) {
    all.assign(accepted.begin(), accepted.end());
    for (const auto& record : accepted) skip += record.size() + 1;
    all.insert(all.end(), records.begin(), records.end());
    lines = all;
  }
  unsynced.make_room(lines);
  auto written_to = log.write(context, lines, records.size() > 1);
  if (!written_to) {
    keep_unwritten(log.landed());
    return written_to;
  }
  const Extent extent = *written_to;
  sequence = ++written;
  std::uint64_t size = 0;
  for (const auto line : lines) size += line.size() + 1;
  // If the records were written in pieces with somebody else's lines in between, there is no reliable copy to keep.
  const bool whole = size == extent.end - extent.offset;
  // Another file, or one that somebody truncated: what was durable is not what is in the file now.
  const bool other = last_in && log.identity() && !last_in->same_file(*log.identity());
  if (durable_end != UINT64_MAX && (other || extent.offset < durable_end)) forget_durable();
  last_in = log.identity();
  last_line.clear();
  if (whole) last_line.set(extent.end - lines.back().size() - 1, extent.end, lines.back());
  unsynced.add(sequence, whole ? extent.offset : extent.end, whole ? lines : lines.first(0));
  accepted.clear();  // only now, because `lines` may point into it
  accepted_bytes = 0;
  return Extent{extent.offset + skip, extent.end};
}

// Requires the log's lock. Unless everything in the log is durable, the next sync counts as one of ours. What was
// durable is still in the log if its last line is; its size alone tells nothing, since a log that was cut may have
// grown again to the same one.
Result<Extent> AppendLog::Impl::cover(std::string_view last, std::uint64_t& sequence) {
  HOLDFAST_LET(end, log.size());
  if (!does(Step::log_cover)) return Extent{end, end};
  File& file = *log.shared_file();
  const bool same = last_in && log.identity() && last_in->same_file(*log.identity());
  HOLDFAST_LET(there, same ? last_line.is_in(file, end) : Result<bool>(false));
  if (there && end == last_line.end() && end == durable_end) return Extent{end, end};
  if (!there) forget_durable();
  const std::uint64_t from = end - std::min<std::uint64_t>(end, std::max(last.size() + 1, LineMark::kMost));
  std::array<char, LineMark::kMost> begin{};
  HOLDFAST_LET(count, file.read_at(from, begin));
  last_line.set(from, end, std::string_view(begin.data(), count));
  last_in = log.identity();
  unsynced.make_room({});
  unsynced.add(sequence = ++written, end, {});
  return Extent{end, end};
}

Result<void> AppendLog::Impl::flush(const Context& context) {
  if (accepted.empty()) return {};
  HOLDFAST_TRY(ready(context));
  HOLDFAST_TRY(log.lock(context));
  const Unlock locked{log};
  std::uint64_t sequence = 0;
  auto extent = write(context, {}, sequence);
  if (!extent) return fail(std::move(extent).error());
  return {};
}

Result<void> AppendLog::Impl::sync_once(std::uint64_t& target) {
  std::shared_ptr<File> file;
  std::uint64_t covered = 0;
  std::uint64_t forgotten_before = 0;
  {
    const ScopedLock guard(write_mutex);
    target = written;
    forgotten_before = forgotten;
    file = log.shared_file();
    covered = unsynced.end();
  }
  auto synced = does(Step::log_sync) ? file->sync() : Result<void>{};
  const ScopedLock guard(write_mutex);
  const bool suspect = does(Step::log_poison_check_after_sync) && poison.marked(*root) && poison.concerns(*root, *file);
  // A process that died while it gave the log another file left the name suspect, but no sync failed: mending makes
  // everything in the log durable, our records included.
  if (synced && suspect && poison.of_name(*root) && ready({})) {
    target = written;
    return {};
  }
  if (synced && !suspect) {
    if (forgotten == forgotten_before) durable_end = std::max(durable_end, covered);
    unsynced.covered(target);
    return {};
  }
  Error error{Code::durability_unknown, "another process could not sync this log; it may or may not survive",
              log.path(), 0};
  if (!synced) {
    error.os_error = synced.error().os_error;
    error.message = "the record was written but could not be synced: " + synced.error().message;
    if (auto marked = poison.mark(*root, durable_end); !marked)
      error.message += "; this could not be recorded for other processes either: " + marked.error().message;
  }
  return fail(std::move(error));
}

Result<void> AppendLog::Impl::sync_to(std::uint64_t sequence) {
  UniqueLock guard(sync_mutex);
  while (true) {
    if (durable >= sequence) return {};
    if (syncing) {
      sync_done.wait(sync_mutex);
      if (durable < sequence && failed >= sequence)
        return fail(Code::durability_unknown, "the sync that covered this record failed", log.path());
      continue;
    }
    syncing = true;
    guard.unlock();
    std::uint64_t target = 0;
    auto synced = [&]() -> Result<void> {
      try {
        return sync_once(target);
      } catch (const std::bad_alloc&) {  // other threads wait until this one is done
        return fail(Code::durability_unknown, "no memory");
      }
    }();
    guard.lock();
    syncing = false;
    (synced ? durable : failed) = std::max(synced ? durable : failed, target);
    sync_done.notify_all();
    if (!synced) return synced;
  }
}

void AppendLog::Impl::collect_findings() {
  auto found = log.take_findings();
  if (found.empty()) return;
  const ScopedLock guard(findings_mutex);
  findings.insert(findings.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
}

void AppendLog::Impl::flush_in_background() {
  Result<void> done;
  std::uint64_t sequence = 0;
  {
    const ScopedLock guard(write_mutex);
    done = flush({});
    sequence = written;
  }
  if (done) done = sync_to(sequence);
  if (done) return;
  const ScopedLock guard(findings_mutex);
  findings.push_back({log.path(),
                      0,
                      0,
                      std::string(code_name(done.error().code)),
                      "background sync failed: " + done.error().message,
                      {}});
}

// After an interval, syncs `process` records and writes `none` records. Returns false if the
// system has no thread for that; then the caller must flush at once.
bool AppendLog::Impl::schedule_flush() {
  const auto interval = log.options().sync_interval;
  // Wakes the thread once per interval, not once per record.
  if (interval.count() <= 0 || flusher_due.exchange(true)) return true;
  const ScopedLock guard(flusher_mutex);
  flusher_wake.notify_one();
  if (flusher.joinable()) return true;
  flusher = start_thread([this, interval](const std::stop_token& stop) {
    UniqueLock wait(flusher_mutex);
    while (flusher_wake.wait(wait, stop, [this] { return flusher_due.load(); })) {
      // Only the destructor interrupts this wait, and it flushes itself.
      if (flusher_wake.wait_for(wait, stop, interval, [] { return false; }) || stop.stop_requested()) return;
      flusher_due = false;
      wait.unlock();
      try {
        flush_in_background();
      } catch (const std::bad_alloc&) {
        flusher_due = true;  // nothing is lost: try again after the interval
      }
      wait.lock();
    }
  });
  if (!flusher.joinable()) flusher_due = false;
  return flusher.joinable();
}

Result<Ack> AppendLog::Impl::accept(const Context& context, std::span<const std::string_view> records) {
  const ScopedLock guard(write_mutex);
  if (closed) return fail(Code::invalid_argument, "the log was closed", log.path());
  if (accepted_bytes >= kMaxAccepted) HOLDFAST_TRY(flush(context));
  for (const auto record : records) {
    accepted.emplace_back(record);
    accepted_bytes += record.size();
  }
  if (!schedule_flush()) (void)flush(context);  // the record is accepted anyway; the next call tries again
  return Ack{};
}

Result<Ack> AppendLog::Impl::finish(Extent extent, std::uint64_t sequence, Durability durability) {
  const auto crowded = [this] {
    const ScopedLock guard(write_mutex);
    return unsynced.bytes() > kMaxUnsynced;
  };
  if (durability == Durability::power || crowded() || !schedule_flush()) HOLDFAST_TRY(sync_to(sequence));
  return Ack{extent.offset, extent.end, durability};
}

AppendLog::AppendLog(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

AppendLog::~AppendLog() { (void)close({}); }

Result<std::unique_ptr<AppendLog>> AppendLog::open(const Context& context, std::shared_ptr<Root> root, std::string path,
                                                   LogOptions options) {
  HOLDFAST_LET(log, LogFile::open(context, root, std::move(path), options));
  std::unique_ptr<AppendLog> opened(new AppendLog(std::make_unique<Impl>(std::move(root), std::move(log))));
  Impl& impl = *opened->impl_;
  const ScopedLock guard(impl.write_mutex);
  HOLDFAST_TRY(impl.ready(context));
  HOLDFAST_TRY(impl.log.lock(context));
  auto repaired = impl.log.repair_tail(context);
  const auto size = impl.log.size();
  impl.log.unlock();
  impl.collect_findings();
  if (!repaired) return fail(std::move(repaired).error());
  if (!size) return fail(size.error());
  // Covers records that an earlier writer acknowledged as `process` before it died.
  auto synced = does(Step::log_sync_on_open) ? impl.log.shared_file()->sync() : Result<void>{};
  if (!synced) {
    (void)impl.poison.mark(*impl.root, 0);
    return fail(std::move(synced).error());
  }
  impl.durable_end = *size;
  impl.last_in = impl.log.identity();
  return opened;
}

Result<Ack> AppendLog::append(const Context& context, std::span<const std::string_view> records,
                              Durability durability) {
  Impl& impl = *impl_;
  HOLDFAST_TRY(context.check());
  if (records.empty()) return fail(Code::invalid_argument, "nothing to append", impl.log.path());
  for (const auto record : records) HOLDFAST_TRY(check_record(record, impl.log.options(), impl.log.path()));
  if (durability == Durability::none) return impl.accept(context, records);
  std::uint64_t sequence = 0;
  Result<Extent> extent;
  {
    const ScopedLock guard(impl.write_mutex);
    HOLDFAST_TRY(impl.ready(context));
    HOLDFAST_TRY(impl.log.lock(context));
    const Unlock locked{impl.log};
    extent = impl.write(context, records, sequence);
    impl.collect_findings();
  }
  if (!extent) return fail(std::move(extent).error());
  return impl.finish(*extent, sequence, durability);
}

Result<Ack> AppendLog::append(const Context& context, std::string_view record, Durability durability) {
  return append(context, std::span(&record, 1), durability);
}

Result<Ack> AppendLog::append_after_last(const Context& context, const Compose& compose, Durability durability) {
  const auto alone = [&](std::string_view last) -> Result<std::vector<std::string>> {
    HOLDFAST_LET(record, compose(last));
    return std::vector<std::string>{std::move(record)};
  };
  return append_all_after_last(context, alone, durability);
}

Result<Ack> AppendLog::append_all_after_last(const Context& context, const ComposeAll& compose, Durability durability) {
  Impl& impl = *impl_;
  HOLDFAST_TRY(context.check());
  std::uint64_t sequence = 0;
  Result<Extent> extent;
  {
    const ScopedLock guard(impl.write_mutex);
    HOLDFAST_TRY(impl.flush(context));
    HOLDFAST_TRY(impl.ready(context));
    HOLDFAST_TRY(impl.log.lock(context));
    const Unlock locked{impl.log};
    extent = [&]() HOLDFAST_REQUIRES(impl.write_mutex) -> Result<Extent> {
      HOLDFAST_TRY(impl.log.repair_tail(context));
      HOLDFAST_LET(last, impl.log.last_record(context));
      HOLDFAST_LET(records, compose(last));
      for (const std::string& record : records) HOLDFAST_TRY(check_record(record, impl.log.options(), impl.log.path()));
      if (records.empty()) return impl.cover(last, sequence);
      const std::vector<std::string_view> views(records.begin(), records.end());
      return impl.write(context, views, sequence);
    }();
    impl.collect_findings();
  }
  if (!extent) return fail(std::move(extent).error());
  return impl.finish(*extent, sequence, std::max(durability, Durability::process));
}

Result<void> AppendLog::sync(const Context& context) {
  Impl& impl = *impl_;
  std::uint64_t sequence = 0;
  {
    const ScopedLock guard(impl.write_mutex);
    HOLDFAST_TRY(impl.flush(context));
    sequence = impl.written;
  }
  return impl.sync_to(sequence);
}

Result<void> AppendLog::close(const Context& context) {
  {
    const ScopedLock guard(impl_->flusher_mutex);
    impl_->flusher.request_stop();
  }
  if (impl_->flusher.joinable()) impl_->flusher.join();
  Result<void> done;
  {
    const ScopedLock guard(impl_->write_mutex);
    if (impl_->closed) return {};
    // Only this process has the bytes that a failed sync may have lost.
    if (impl_->unsynced.bytes() > 0 && impl_->poison.marked(*impl_->root)) done = impl_->ready(context);
  }
  if (auto synced = sync(context); done) done = std::move(synced);
  const ScopedLock guard(impl_->write_mutex);
  impl_->closed = true;
  return done;
}

std::vector<Finding> AppendLog::findings() const {
  const ScopedLock guard(impl_->findings_mutex);
  return impl_->findings;
}

const std::string& AppendLog::path() const { return impl_->log.path(); }

}  // namespace holdfast::inline v1
