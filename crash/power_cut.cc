// T4: power cuts on real ext4 and xfs.
#include "power_cut.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "parts.h"
#include "power_cut_store.h"

namespace holdfast::lab {
namespace {

constexpr unsigned kCyclesOfAStore = 8;
constexpr unsigned kNumbersOfACycle = 1'000'000;
constexpr std::chrono::milliseconds kShortInterval{20};
constexpr std::int64_t kMillisecond = 1'000'000;

enum class Word : std::uint32_t { ready, acknowledged, failed, heartbeat };

// What a writer says; short enough for a pipe to keep it in one piece.
struct Report {
  Word word = Word::ready;
  std::uint32_t thread = 0;
  Stream stream = Stream::ours;
  std::uint32_t number = 0;
  std::uint64_t value = 0;
  std::int64_t ns = 0;
  char text[120] = {};
};

struct Plan {
  std::string store;
  std::uint32_t first = 1;
  std::uint64_t seed = 1;
  bool process = false;  // durability `process` with a short interval
};

void say(int report, Report words) {
  words.ns = steady_ns();
  (void)!::write(report, &words, sizeof words);
}

// Works until something fails, which it does when the power is cut.
struct Writer {
  Plan plan;
  int report;
  std::unique_ptr<Store> store;
  std::array<std::atomic<std::uint32_t>, kStreams> next{};

  bool act(std::uint32_t thread, Stream stream, Durability durability) {
    Report words;
    words.thread = thread;
    words.stream = stream;
    words.number = next[static_cast<std::size_t>(stream)].fetch_add(1);
    const auto done = store->act({}, stream, words.number, durability);
    words.word = done ? Word::acknowledged : Word::failed;
    if (done)
      words.value = *done;
    else
      std::strncpy(words.text, done.error().text().c_str(), sizeof words.text - 1);
    say(report, words);
    return done.has_value();
  }

  void logs(std::uint32_t thread) {
    Random random(plan.seed * 2);
    while (act(thread, random.chance(60) ? Stream::ours : Stream::shared, Durability::power)) {
    }
  }

  void everything(std::uint32_t thread) {
    Random random(plan.seed * 2 + 1);
    constexpr Stream kMix[] = {Stream::ours, Stream::document, Stream::commit, Stream::commit, Stream::counter};
    while (act(thread, kMix[random.below(std::size(kMix))], Durability::power)) {
    }
  }

  void unsynced(std::uint32_t thread) {
    Random random(plan.seed * 2);
    while (act(thread, random.chance(60) ? Stream::ours : Stream::shared, Durability::process))
      std::this_thread::sleep_for(std::chrono::microseconds(random.below(200)));
  }

  // How late this machine is with an interval and a flush.
  void heartbeats(std::uint32_t thread) {
    while (true) {
      std::this_thread::sleep_for(kShortInterval);
      if (!act(thread, Stream::document, Durability::power)) return;
    }
  }

  int run() {
    for (auto& number : next) number = plan.first;
    auto opened = Store::open({}, real_file_system(), plan.store,
                              plan.process ? kShortInterval : std::chrono::milliseconds(1000));
    if (!opened) {
      Report words;
      words.word = Word::failed;
      std::strncpy(words.text, opened.error().text().c_str(), sizeof words.text - 1);
      say(report, words);
      return 1;
    }
    store = std::move(*opened);
    say(report, {});
    std::thread first([this] { plan.process ? unsynced(1) : logs(1); });
    std::thread second([this] { plan.process ? heartbeats(2) : everything(2); });
    first.join();
    second.join();
    ::pause();  // the parent ends us: no destructor may write once the disk is back
    return 0;
  }
};

std::vector<Report> parse(const std::string& said) {
  std::vector<Report> reports(said.size() / sizeof(Report));
  std::memcpy(reports.data(), said.data(), reports.size() * sizeof(Report));
  return reports;
}

// The rule of cut_cycles: an acknowledgement counts when the same thread got
// another one afterwards. `process`: when it is older than two intervals with
// their flushes (the last one may have been in flight), each taken as long as
// the slowest heartbeat of this machine in this cycle, and 50 ms.
void count_promises(const std::vector<Report>& reports, const Plan& plan, const Cut& cut, Ledger& ledger) {
  std::int64_t slowest = kShortInterval.count() * kMillisecond;
  std::int64_t previous = reports.empty() ? cut.begin_ns : reports.front().ns;
  std::array<const Report*, 3> pending{};
  for (const auto& each : reports) {
    if (each.word != Word::acknowledged || each.thread >= pending.size()) continue;
    if (plan.process && each.thread == 1) continue;
    slowest = std::max(slowest, each.ns - std::exchange(previous, each.ns));
    if (const Report* before = std::exchange(pending[each.thread], &each); before != nullptr)
      ledger.promise(before->stream, before->number, before->value);
  }
  if (!plan.process) return;
  slowest = std::max(slowest, cut.begin_ns - previous);
  const std::int64_t old = cut.begin_ns - 2 * slowest - 50 * kMillisecond;
  for (const auto& each : reports)
    if (each.word == Word::acknowledged && each.thread == 1 && each.ns < old)
      ledger.promise(each.stream, each.number, each.value);
}

struct Storm {
  const Options& options;
  DiskKind kind;
  Outcome& outcome;
  Inspection seen{};
  std::uint64_t process_promises = 0;
  std::uint64_t inspected = 0;
  Ledger ledger{};
  Plan plan{};

  std::string store_of(const std::string& mount, unsigned cycle) const {
    return mount + "/store" + std::to_string(cycle / kCyclesOfAStore);
  }

  CutWriter start(const std::string& mount, int report, unsigned cycle) {
    if (cycle % kCyclesOfAStore == 0) {
      if (cycle > 0) std::filesystem::remove_all(store_of(mount, cycle - 1));
      ledger = {};
      inspected = 0;
    }
    Random random(options.seed * 1'000'003 + cycle * 2 + (kind == DiskKind::xfs ? 1 : 0));
    plan.store = store_of(mount, cycle);
    plan.first = cycle % kCyclesOfAStore * kNumbersOfACycle + 1;
    plan.seed = random.next();
    plan.process = cycle % 10 == 6;
    CutWriter writer;
    writer.delay =
        std::chrono::microseconds(plan.process ? 150'000 + random.below(150'000) : 2'000 + random.below(58'000));
    writer.after_first_word = plan.process || cycle % 4 != 0;  // else it may hit the opening
    writer.pid = ::fork();
    if (writer.pid == 0) {
      Writer child{plan, report, nullptr};
      ::_exit(child.run());
    }
    return writer;
  }

  void check(const Cut& cut) {
    ++outcome.cases;
    const std::string where = std::string(disk_kind_name(kind)) + " cycle " + std::to_string(cut.cycle) + " (--seed " +
                              std::to_string(options.seed) + ")";
    const auto reports = parse(cut.said);
    for (const auto& each : reports) {
      if (each.word == Word::failed && each.ns < cut.begin_ns)
        outcome.fail(&Outcome::wrong, where + ": failed before the cut: " + std::string(each.text));
      if (each.word == Word::acknowledged && each.stream == Stream::counter && each.value <= ledger.highest_number)
        outcome.fail(&Outcome::wrong, where + ": the counter handed out " + std::to_string(each.value) + " again");
    }
    const std::uint64_t before = ledger.count;
    count_promises(reports, plan, cut, ledger);
    if (plan.process) process_promises += ledger.count - before;
    // Now and then the next writer finds the store as the cut left it, and the
    // next cut may hit its recovery.
    if (cut.cycle % 5 == 3) return;
    Inspection inspection;
    inspect(real_file_system(), plan.store, ledger, where, inspection, outcome);
    outcome.acknowledged -= std::exchange(inspected, ledger.count);  // looked at again, counted once
    seen.damaged += inspection.damaged;
    seen.quarantined += inspection.quarantined;
  }
};

void storm(const Options& options, DiskKind kind, unsigned cycles, Outcome& outcome) {
  Storm storm{options, kind, outcome};
  const CutPlan plan{kind, cycles, options.scratch};
  const CutResult result = cut_cycles(
      plan, [&](const std::string& mount, int report, unsigned cycle) { return storm.start(mount, report, cycle); },
      [&](const Cut& cut) { storm.check(cut); });
  const std::string name = disk_kind_name(kind);
  if (!result.error.empty()) outcome.fail(&Outcome::unopenable, name + ": " + result.error);
  outcome.note += (outcome.note.empty() ? "" : "; ") + name + ": " + std::to_string(result.cuts) + " cuts, " +
                  std::to_string(storm.process_promises) + " of the promises `process`, " +
                  std::to_string(storm.seen.damaged) + " damaged places reported, " +
                  std::to_string(storm.seen.quarantined) + " moved aside";
}

}  // namespace

Outcome run_t4(const Options& options) {
  if (const auto why = why_no_disks(true); !why.empty()) return cannot_run(why);
  Outcome outcome;
  outcome.unit = "cuts";
  Options round = options;
  const auto start = steady_ns();
  do {
    outcome.note.clear();
    storm(round, DiskKind::ext4, pick(options, 10U, 100U, 300U), outcome);
    storm(round, DiskKind::xfs, pick(options, 3U, 30U, 100U), outcome);
    ++round.seed;
  } while (options.size == Size::hours && outcome.ok() &&
           static_cast<double>(steady_ns() - start) < options.hours * 3.6e12);
  check_leftovers(options.scratch, outcome);
  return outcome;
}

}  // namespace holdfast::lab
