// T8: real full disks. At each step a store works until nothing more fits: its
// errors must be accurate, it must open and read while full, and with room
// again it must continue as if nothing had happened.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>

#include "loop_disk.h"
#include "parts.h"
#include "power_cut_store.h"

namespace holdfast::lab {
namespace {

constexpr unsigned kFailures = 24;      // per step: enough for each operation to fail
constexpr unsigned kOperations = 4000;  // per step, at most
constexpr Stream kAll[] = {Stream::ours, Stream::shared, Stream::document, Stream::commit, Stream::counter};

bool says_full(int number) { return number == ENOSPC || number == EDQUOT || number == EFBIG; }

// Whether the error is disk_full or an unknown durability because of a full disk, and names the file.
bool honest(const Error& error) {
  const bool code = error.code == Code::disk_full || error.code == Code::durability_unknown ||
                    error.code == Code::poisoned || error.code == Code::unfinished;
  return code && says_full(error.os_error) && !error.path.empty();
}

class Step {
 public:
  Step(std::string where, std::string path, std::uint64_t seed, Outcome& outcome)
      : where_(std::move(where)), path_(std::move(path)), random_(seed), outcome_(outcome) {}

  // Works until the disk is full, checks, makes room, continues, checks again.
  void run(const std::function<bool()>& make_room) {
    ++outcome_.cases;
    for (unsigned i = 0; i < kOperations && failures_ < kFailures; ++i)
      act(kAll[random_.below(std::size(kAll))], false);
    look(false, true);
    look(true, true);
    if (!make_room()) return broken("no room could be made");
    // First the same handles that met the full disk, then new ones.
    for (const Stream stream : kAll) act(stream, true);
    look(false, false);
    store_.reset();
    for (const Stream stream : kAll) act(stream, true);
    look(true, false);
  }

  unsigned failures() const { return failures_; }

 private:
  void broken(const std::string& what) { outcome_.fail(&Outcome::wrong, where_ + ": " + what); }

  void judge(const Error& error, bool room) {
    ++failures_;
    if (room)
      broken("fails although there is room again: " + error.text());
    else if (!honest(error))
      broken("an error that does not say what happened: " + error.text());
  }

  void act(Stream stream, bool room) {
    if (!store_) {
      auto opened = Store::open({}, real_file_system(), path_);
      if (!opened) return judge(opened.error(), room);
      store_ = std::move(*opened);
    }
    const std::uint32_t number = next_[static_cast<std::size_t>(stream)]++;
    const auto done = store_->act({}, stream, number);
    if (done) {
      if (stream == Stream::counter && *done <= ledger_.highest_number)
        broken("the counter handed out " + std::to_string(*done) + " again");
      ledger_.promise(stream, number, *done);
      return;
    }
    judge(done.error(), room);
    if (stream == Stream::ours) check_tail();
    if (random_.chance(10)) store_.reset();  // reopen while the disk is full
  }

  // A log of ours never contains a fragment, not even between a failed append and the next one.
  void check_tail() {
    const int file = ::open((path_ + "/a/logs/ours.jsonl").c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const off_t end = ::lseek(file, 0, SEEK_END);
    char last = '\n';
    if (end > 0 && (::pread(file, &last, 1, end - 1) != 1 || last != '\n')) broken("a failed append left a torn tail");
    ::close(file);
  }

  void look(bool write, bool full) {
    Inspection inspection;
    inspection.write = write;
    inspection.full = full;
    const std::uint64_t counted = outcome_.acknowledged;
    inspect(real_file_system(), path_, ledger_, where_ + (full ? ", full" : ", room again"), inspection, outcome_);
    if (!write || full) outcome_.acknowledged = counted;  // count each record once
  }

  std::string where_;
  std::string path_;
  Random random_;
  Outcome& outcome_;
  std::unique_ptr<Store> store_;
  Ledger ledger_;
  std::array<std::uint32_t, kStreams> next_{1, 1, 1, 1, 1};
  unsigned failures_ = 0;
};

std::string seed_text(const Options& options) { return " (--seed " + std::to_string(options.seed) + ")"; }

// From no room at all to more than the workload needs. Returns the number of steps.
unsigned sweep_tmpfs(const Options& options, Outcome& outcome, bool inodes) {
  unsigned steps = 0;
  const unsigned first = inodes ? 1 : 64;
  const unsigned last = inodes ? 48 : 1024;
  for (unsigned amount = first; amount <= last; amount += inodes ? 1 : 4) {
    const std::string limit =
        inodes ? "size=4m,nr_inodes=" + std::to_string(amount) : "size=" + std::to_string(amount) + "k,nr_inodes=1000";
    MemoryDisk disk(options.scratch + "/tmpfs", limit);
    if (!disk.ok()) {
      outcome.fail(&Outcome::wrong, limit + ": " + disk.error());
      break;
    }
    Step step("tmpfs " + limit + seed_text(options), disk.path(), options.seed * 10'000 + amount, outcome);
    step.run([&] { return disk.resize("size=8m,nr_inodes=1000"); });
    if (!inodes && step.failures() == 0) outcome.fail(&Outcome::wrong, limit + " was never full");
    ++steps;
  }
  return steps;
}

unsigned fill_ext4(const Options& options, Outcome& outcome) {
  LoopDisk disk(DiskKind::ext4, options.scratch + "/ext4", 2);
  if (!disk.ok()) {
    outcome.fail(&Outcome::wrong, disk.error());
    return 0;
  }
  unsigned steps = 0;
  const std::string ballast = disk.path() + "/ballast";
  for (off_t weight = 128 << 10; weight < 1200 << 10; weight += 32 << 10) {
    const int file = ::open(ballast.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const bool laid = ::posix_fallocate(file, 0, weight) == 0;
    ::close(file);
    if (!laid) break;
    const std::string where = "ext4 of 2 MB, " + std::to_string(weight >> 10) + "k taken" + seed_text(options);
    {
      Step step(where, disk.path() + "/store", options.seed * 20'000 + static_cast<std::uint64_t>(weight), outcome);
      step.run([&] { return ::unlink(ballast.c_str()) == 0; });
      if (step.failures() == 0) outcome.fail(&Outcome::wrong, where + ": was never full");
    }
    std::filesystem::remove_all(disk.path() + "/store");
    ++steps;
  }
  return steps;
}

// Limits the size of files: a short write, then EFBIG.
unsigned limit_files(const Options& options, Outcome& outcome) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  unsigned steps = 0;
  for (rlim_t size = 0; size <= 96 << 10; size += size < 4096 ? 64 : 1000) {
    MemoryDisk disk(options.scratch + "/limited", "size=8m,nr_inodes=1000");
    const rlimit tight{size, before.rlim_max};
    Step step("RLIMIT_FSIZE " + std::to_string(size) + seed_text(options), disk.path(), options.seed * 30'000 + size,
              outcome);
    ::setrlimit(RLIMIT_FSIZE, &tight);
    step.run([&] { return ::setrlimit(RLIMIT_FSIZE, &before) == 0; });
    ::setrlimit(RLIMIT_FSIZE, &before);
    ++steps;
  }
  ::signal(SIGXFSZ, old_handler);
  return steps;
}

}  // namespace

Outcome run_t8(const Options& options) {
  if (const auto why = disks_unavailable_reason(true); !why.empty()) return cannot_run(why);
  Outcome outcome;
  outcome.unit = "steps";
  const unsigned sizes = sweep_tmpfs(options, outcome, false);
  const unsigned inodes = sweep_tmpfs(options, outcome, true);
  const unsigned ext4 = fill_ext4(options, outcome);
  const unsigned limits = limit_files(options, outcome);
  outcome.note = std::to_string(sizes) + " tmpfs sizes, " + std::to_string(inodes) + " inode counts, " +
                 std::to_string(ext4) + " fillings of a 2 MB ext4, " + std::to_string(limits) + " file size limits";
  check_leftovers(options.scratch, outcome);
  return outcome;
}

}  // namespace holdfast::lab
