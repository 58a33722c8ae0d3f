// T6 on a real disk: for every sync of a workload, the device fails at that
// sync, and what was acknowledged must still be there afterwards.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <vector>

#include "fuse_disk.h"
#include "parts.h"
#include "power_cut_store.h"
#include "watched_file_system.h"

namespace holdfast::lab {
namespace {

// What happens at the chosen sync, and afterwards.
enum class Course {
  same,   // the device fails for that one sync; the same process continues
  other,  // ... a second process comes first, which knows only what is on the disk
  data,   // records fail from there on, the file system works; both processes try; then the device recovers
  dead,   // everything fails from there on, until the machine restarts
  cut,    // like `other`, but the power fails at a sync of the second process
  count
};
constexpr const char* kCourseNames[] = {"same process", "other process", "data fails", "dead", "cut while mending"};

constexpr Stream kWork[] = {Stream::ours,   Stream::shared,  Stream::document, Stream::ours,   Stream::commit,
                            Stream::shared, Stream::counter, Stream::document, Stream::commit, Stream::ours};
constexpr Stream kAgain[] = {Stream::ours, Stream::shared, Stream::document, Stream::commit};
constexpr std::uint32_t kSecond = 1000;  // numbers of the second process
constexpr std::uint32_t kLater = 2000;   // and of the first, afterwards

// One promise of the second process, as sent through a pipe.
struct Promise {
  Stream stream = Stream::ours;
  std::uint32_t number = 0;
  std::uint64_t value = 0;
};

struct Bench {
  const Options& options;
  DiskKind kind;
  Outcome& outcome;
  std::unique_ptr<FuseDisk> fuse;
  std::optional<LoopDisk> disk;
  std::uint64_t mended = 0;  // cases in which writing continued without a restart

  bool start() {
    disk.reset();
    fuse.reset();
    const std::string base = options.scratch + "/" + disk_kind_name(kind);
    fuse = std::make_unique<FuseDisk>(kind, base + "-fuse", kind == DiskKind::ext4 ? 64 : 320);
    if (!fuse->ok()) return stopped(fuse->error());
    disk.emplace(LoopDisk::over(kind, base, fuse->image()));
    return disk->ok() || stopped(disk->error());
  }
  bool stopped(const std::string& why) {
    outcome.fail(&Outcome::unopenable, std::string(disk_kind_name(kind)) + ": " + why);
    return false;
  }
};

class Case {
 public:
  Case(Bench& bench, std::uint64_t at, Course course)
      : bench_(bench),
        at_(at),
        course_(course),
        path_(bench.disk->path() + "/store"),
        where_(std::string(disk_kind_name(bench.kind)) + " sync " + std::to_string(at) + ", " +
               kCourseNames[static_cast<int>(course)]) {}

  // Returns the number of syncs of the workload; 0 if the disk is unusable.
  std::uint64_t run() {
    std::filesystem::remove_all(path_);
    watched_.before_sync = [this](const WatchedFileSystem::Sync& sync) { fall_ill(sync); };
    watched_.after_sync = [this](const WatchedFileSystem::Sync& sync) {
      if (sync.number == at_ && course_ != Course::data && course_ != Course::dead) heal();
    };
    work();
    const std::uint64_t syncs = watched_.syncs;
    watched_.before_sync = nullptr;
    if (course_ != Course::same && at_ <= syncs) second_process();
    if (course_ != Course::dead) heal();
    if (course_ != Course::cut) go_on();
    bench_.disk->power_cut();
    store_.reset();  // whatever it still wants to write is too late
    heal();
    if (!bench_.disk->remount()) return bench_.stopped(where_ + ": " + bench_.disk->error()), 0;
    Inspection inspection;
    inspect(real_file_system(), path_, ledger_, where_, inspection, bench_.outcome);
    start_again();
    return syncs;
  }

 private:
  void broken(const std::string& what) { bench_.outcome.fail(&Outcome::wrong, where_ + ": " + what); }
  void heal() { bench_.fuse->set(DiskFault::none); }

  void fall_ill(const WatchedFileSystem::Sync& sync) {
    if (sync.number != at_) return;
    failing_ = sync.path;
    where_ += " (" + sync.path + ")";
    refused_ = bench_.fuse->refused();
    bench_.fuse->set(course_ == Course::data ? DiskFault::data : DiskFault::everything);
  }

  bool act(Stream stream, std::uint32_t number) {
    failing_.clear();
    const auto done = store_->act({}, stream, number);
    // A log whose own sync was refused by the medium must answer with exactly one error.
    const bool refused = bench_.fuse->refused() > refused_ &&
                         failing_ == (stream == Stream::ours ? "logs/ours.jsonl" : "logs/shared.jsonl");
    if (refused && stream <= Stream::shared) {
      if (done)
        broken("acknowledged although the sync failed");
      else if (done.error().code != Code::durability_unknown && done.error().code != Code::poisoned &&
               done.error().code != Code::unfinished)
        broken("not durability_unknown but " + done.error().text());
    }
    if (done)
      ledger_.promise(stream, number, *done);
    else
      last_error_ = std::string(stream_name(stream)) + ": " + done.error().text();
    return done.has_value();
  }

  void work() {
    std::uint32_t number = 0;
    for (const Stream stream : kWork) {
      if (!open(watched_)) return;
      act(stream, ++number);
    }
  }

  bool open(FileSystem& file_system) {
    if (store_) return true;
    auto opened = Store::open({}, file_system, path_);
    if (opened) store_ = std::move(*opened);
    return opened.has_value();
  }

  // Knows of the failure only what is on the disk.
  void second_process() {
    int report[2];
    if (::pipe(report) != 0) return;
    const pid_t child = ::fork();
    if (child == 0) {
      die_with_parent();
      ::alarm(60);
      WatchedFileSystem watched;
      watched.before_sync = [&](const WatchedFileSystem::Sync& sync) {
        if (course_ == Course::cut && sync.number == 1 + at_ % 12) bench_.disk->power_cut();
      };
      auto opened = Store::open({}, watched, path_);
      std::uint32_t number = kSecond;
      if (opened)
        for (const Stream stream : kAgain)
          if (const auto done = (*opened)->act({}, stream, ++number)) {
            const Promise promise{stream, number, *done};
            (void)!::write(report[1], &promise, sizeof promise);
          }
      ::_exit(0);
    }
    ::close(report[1]);
    for (Promise promise; ::read(report[0], &promise, sizeof promise) == static_cast<ssize_t>(sizeof promise);)
      ledger_.promise(promise.stream, promise.number, promise.value);
    ::close(report[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0) broken("the second process hung or died");
  }

  // Whether the file system itself still accepts changes.
  bool alive() const {
    const int file = ::open((bench_.disk->path() + "/probe").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return false;
    const bool written = ::write(file, "x", 1) == 1 && ::fsync(file) == 0;
    ::close(file);
    return written;
  }

  // The device is well: unless the file system has shut down, every write works again.
  void go_on() {
    const bool usable = course_ != Course::dead && alive();
    std::uint32_t number = kLater;
    if (!open(real_file_system())) {
      if (usable) broken("the store does not open although the device is well");
      return;
    }
    unsigned worked = 0;
    for (const Stream stream : kAgain) worked += act(stream, ++number) ? 1 : 0;
    if (!usable) return;
    if (worked == std::size(kAgain))
      ++bench_.mended;
    else
      broken(std::to_string(std::size(kAgain) - worked) + " writes fail although the device is well, " + last_error_);
  }

  void start_again() {
    std::uint32_t number = 2 * kLater;
    if (!open(real_file_system())) return broken("the store does not open after the restart");
    for (const Stream stream : kAgain)
      if (!act(stream, ++number)) broken("no writing after the restart, " + last_error_);
    store_.reset();
  }

  Bench& bench_;
  std::uint64_t at_;
  Course course_;
  std::string path_;
  std::string where_;
  WatchedFileSystem watched_;
  std::unique_ptr<Store> store_;
  Ledger ledger_;
  std::string failing_;
  std::string last_error_;
  std::uint64_t refused_ = 0;
};

void fail_every_sync(const Options& options, DiskKind kind, Outcome& outcome) {
  Bench bench{options, kind, outcome, nullptr, std::nullopt};
  if (!bench.start()) return;
  const std::uint64_t stride = pick<std::uint64_t>(options, 9, 3, 1);
  const std::uint64_t last = Case(bench, UINT64_MAX, Course::same).run();  // nothing fails: counts the syncs
  for (std::uint64_t at = 1; at <= last; at += stride) {
    for (int course = 0; course < static_cast<int>(Course::count); ++course)
      if (Case(bench, at, static_cast<Course>(course)).run() == 0 && !bench.start()) return;
    ++outcome.cases;
  }
  outcome.note += (outcome.note.empty() ? "" : "; ") + std::string(disk_kind_name(kind)) + ": " + std::to_string(last) +
                  " syncs of a workload, " + std::to_string(bench.fuse->refused()) + " writes refused by the device, " +
                  std::to_string(bench.mended) + " cases mended without a restart";
}

}  // namespace

Outcome run_t6d(const Options& options) {
  if (!FuseDisk::built()) return cannot_run("built without libfuse3");
  if (const auto why = disks_unavailable_reason(true); !why.empty()) return cannot_run(why);
  if (::access("/dev/fuse", R_OK | W_OK) != 0) return cannot_run("needs /dev/fuse");
  Outcome outcome;
  outcome.unit = "syncs";
  fail_every_sync(options, DiskKind::ext4, outcome);
  fail_every_sync(options, DiskKind::xfs, outcome);
  check_leftovers(options.scratch, outcome);
  return outcome;
}

}  // namespace holdfast::lab
