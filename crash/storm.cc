// T3: kill -9 of real processes, repeatedly, while they write. Pipes report
// what the library acknowledged; it must be there.
#include <algorithm>
#include <chrono>

#include "omitted.h"
#include "parts.h"
#include "storm_process.h"
#include "storm_run.h"

namespace holdfast::lab {
namespace {

constexpr std::uint64_t kKillsOfRound = 100;  // then everything is checked, and new stores are made

// "omit=log_lock": runs the storm with a step of the library left out (in a build that can), to see that it notices.
Step omitted_by(const std::string& replay) {
  for (int i = 0; i < kStepCount; ++i)
    if (replay == "omit=" + std::string(step_name(static_cast<Step>(i)))) leave_out(static_cast<Step>(i));
  return omitted_here();
}

}  // namespace

Outcome run_t3(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t total = pick<std::uint64_t>(options, 60, 2'000, 5'000);
  const std::uint64_t size = options.size == Size::small ? 20 : kKillsOfRound;
  const Step omitted = omitted_by(options.replay);
  Outcome sum;
  sum.unit = "kills";
  LogOracle::Figures figures;
  const auto more = [&](std::uint64_t kills) {
    if (options.size != Size::hours) return kills < total;
    return std::chrono::duration<double, std::ratio<3600>>(std::chrono::steady_clock::now() - start).count() <
           options.hours;
  };
  for (std::uint64_t round = 0; more(sum.cases) && sum.failures.size() < 10; ++round) {
    // Mostly in memory; a share on the disk, where a sync takes time.
    const bool on_disk = round % 9 == 2;
    const ScratchDirectory directory(on_disk ? options.scratch : memory_directory(options.scratch));
    StormRound plan;
    plan.program = options.program;
    plan.directory = directory.path();
    plan.seed = options.seed * 1'000'003 + round;
    plan.kills = options.size == Size::hours ? size : std::min(size, total - sum.cases);
    plan.weather = static_cast<StormKind>(round % 3);
    plan.omitted = omitted;
    plan.where = "seed " + std::to_string(options.seed) + " round " + std::to_string(round);
    auto result = run_round(plan);
    for (auto& log : result.logs) {
      if (plan.weather == StormKind::stores) break;
      log->tear_and_append(result.outcome, plan.where);
      figures.records += log->figures().records;
      figures.bytes += log->figures().bytes;
      figures.damaged += log->figures().damaged;
      figures.salvaged += log->figures().salvaged;
      figures.glued_late += log->figures().glued_late;
      figures.prefixed += log->figures().prefixed;
    }
    sum.merge(result.outcome);
  }
  sum.note = std::to_string(figures.records) + " records (" + std::to_string(figures.bytes >> 20U) + " MiB) in logs; " +
             std::to_string(figures.damaged) + " fragments of killed writers in shared logs, " +
             std::to_string(figures.salvaged) +
             " records salvaged behind them; our line on its own behind a fragment " +
             std::to_string(figures.prefixed) + " times, late " + std::to_string(figures.glued_late);
  return sum;
}

}  // namespace holdfast::lab
