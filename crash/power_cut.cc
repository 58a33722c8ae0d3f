// T4: power cuts on real ext4 and xfs.
#include "power_cut.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "parts.h"
#include "power_cut_writer.h"

namespace holdfast::lab {
namespace {

constexpr unsigned kCyclesOfAStore = 8;
constexpr unsigned kNumbersOfACycle = 1'000'000;
constexpr std::int64_t kMillisecond = 1'000'000;

// `power`: counts what was acknowledged while the power was provably on.
// `process`, writer alive: counts what is older than two intervals with their flushes
// (the last one may have been in flight), each assumed to be as long as the slowest
// heartbeat of this cycle, plus 50 ms.
// `process`, writer dead: counts everything once another process has opened the store.
void count_promises(const std::vector<Report>& reports, CutMode mode, const Cut& cut, Ledger& ledger) {
  std::int64_t slowest = kShortInterval.count() * kMillisecond;
  std::int64_t previous = reports.empty() ? cut.begin_ns : reports.front().ns;
  for (const auto& each : reports)
    if (each.thread == 2 && each.word == Word::acknowledged)
      slowest = std::max(slowest, each.ns - std::exchange(previous, each.ns));
  slowest = std::max(slowest, cut.begin_ns - previous);
  const bool opened =
      std::ranges::any_of(reports, [](const Report& each) { return each.word == Word::opened && each.proved; });
  for (const auto& each : reports) {
    if (each.word != Word::acknowledged || !each.proved) continue;
    const bool old = each.ns < cut.begin_ns - 2 * slowest - 50 * kMillisecond;
    if (each.thread != kProcessThread || (mode == CutMode::died ? opened : old))
      ledger.promise(each.stream, each.number, each.value);
  }
}

struct Storm {
  const Options& options;
  DiskKind kind;
  Outcome& outcome;
  Inspection seen{};
  std::uint64_t process_promises = 0;
  std::uint64_t inspected = 0;
  Ledger ledger{};
  CutWork work{};

  std::string store_of(const std::string& mount, unsigned cycle) const {
    return mount + "/store" + std::to_string(cycle / kCyclesOfAStore);
  }

  static CutMode mode_of(unsigned cycle) {
    switch (cycle % 10) {
      case 1:
      case 5: return CutMode::documents;
      case 6: return CutMode::process;
      case 2:
      case 8: return CutMode::died;
      default: return CutMode::mixed;
    }
  }

  CutWriter start(const std::string& mount, int report, unsigned cycle) {
    if (cycle % kCyclesOfAStore == 0) {
      if (cycle > 0) std::filesystem::remove_all(store_of(mount, cycle - 1));
      ledger = {};
      inspected = 0;
    }
    Random random(options.seed * 1'000'003 + cycle * 2 + (kind == DiskKind::xfs ? 1 : 0));
    work = {mode_of(cycle), mount, store_of(mount, cycle), cycle % kCyclesOfAStore * kNumbersOfACycle + 1,
            random.next()};
    const bool process = work.mode == CutMode::process;
    CutWriter writer;
    writer.delay = std::chrono::microseconds(process ? 150'000 + random.below(150'000) : 2'000 + random.below(58'000));
    writer.after_first_word = work.mode != CutMode::mixed || cycle % 4 != 0;  // otherwise the cut may hit the opening
    writer.pid = ::fork();
    if (writer.pid == 0) {
      die_with_parent();
      ::_exit(write_until_cut(work, report));
    }
    return writer;
  }

  void check(const Cut& cut) {
    ++outcome.cases;
    const std::string where = std::string(disk_kind_name(kind)) + " cycle " + std::to_string(cut.cycle) + " (--seed " +
                              std::to_string(options.seed) + ")";
    const auto reports = parse_reports(cut.said);
    for (const auto& each : reports) {
      if (each.word == Word::failed && each.ns < cut.begin_ns)
        outcome.fail(&Outcome::wrong, where + ": failed before the cut: " + std::string(each.text));
      if (each.word == Word::acknowledged && each.stream == Stream::counter && each.value <= ledger.highest_number)
        outcome.fail(&Outcome::wrong, where + ": the counter handed out " + std::to_string(each.value) + " again");
    }
    const std::uint64_t before = ledger.count;
    count_promises(reports, work.mode, cut, ledger);
    if (work.mode == CutMode::process || work.mode == CutMode::died) process_promises += ledger.count - before;
    // Now and then, leave the store as the cut left it for the next writer, so the next cut may hit its recovery.
    if (cut.cycle % 5 == 3) return;
    Inspection inspection;
    inspect(real_file_system(), work.store, ledger, where, inspection, outcome);
    outcome.acknowledged -= std::exchange(inspected, ledger.count);  // checked again, counted once
    seen.damaged += inspection.damaged;
    seen.quarantined += inspection.quarantined;
  }
};

void storm(const Options& options, DiskKind kind, unsigned cycles, Outcome& outcome) {
  Storm storm{options, kind, outcome};
  CutPlan plan;
  plan.kind = kind;
  plan.cycles = cycles;
  plan.scratch = options.scratch;
  const CutResult result = cut_cycles(
      plan, [&](const std::string& mount, int report, unsigned cycle) { return storm.start(mount, report, cycle); },
      [&](const Cut& cut) { storm.check(cut); });
  const std::string name = disk_kind_name(kind);
  if (!result.error.empty()) outcome.fail(&Outcome::unopenable, name + ": " + result.error);
  outcome.note += (outcome.note.empty() ? "" : "; ") + name + ": " + std::to_string(result.cuts) + " cuts, " +
                  std::to_string(storm.process_promises) + " promises in cycles with `process`, " +
                  std::to_string(storm.seen.damaged) + " damaged places reported, " +
                  std::to_string(storm.seen.quarantined) + " moved aside";
}

}  // namespace

Outcome run_t4(const Options& options) {
  if (const auto why = disks_unavailable_reason(true); !why.empty()) return cannot_run(why);
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
