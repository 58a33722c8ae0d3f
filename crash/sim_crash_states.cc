// T1: every workload of up to three operations, crashed after every change to
// the disk, in the states that three models of a file system allow: all of them
// if they are few, otherwise as many as the budget allows plus some random
// ones. Each state is recovered and compared with the oracle; for a share of
// them, the recovery is crashed too. Then long random workloads.
#include <atomic>
#include <chrono>
#include <sstream>

#include "parts.h"
#include "sim_verify.h"
#include "sim_world.h"

namespace holdfast::lab {
namespace {

struct Budget {
  std::uint64_t cap = 6;        // states enumerated per crash point and model
  std::uint64_t samples = 2;    // random ones if there are more
  unsigned inside_percent = 1;  // of the states: crash again during the recovery
};

constexpr CrashModel kModels[] = {CrashModel::ordered, CrashModel::ext4_nul, CrashModel::weak};

// Counts crash points, once per model, and those of which every state was tried.
struct Census {
  std::atomic<std::uint64_t> points{0};
  std::atomic<std::uint64_t> complete{0};
};

// Crashes a recovery at each of its calls.
class RecoveryCrasher final : public SimObserver {
 public:
  RecoveryCrasher(SimFileSystem& disk, const Oracle& oracle, std::uint64_t seed, const std::string& what,
                  Outcome& outcome)
      : disk_(disk), oracle_(oracle), random_(seed), what_(what), outcome_(outcome) {}

  void after(const SimCall& call) override {
    for (const CrashModel model : kModels) {
      auto chooser = Chooser::random(3, random_.next());
      do {
        auto found = disk_.crash(model, chooser);
        ++outcome_.cases;
        verify(*found, oracle_, After::power_loss, random_.next(),
               what_ + " again in recovery call " + std::to_string(call.index), outcome_);
      } while (chooser.next());
    }
  }

 private:
  SimFileSystem& disk_;
  const Oracle& oracle_;
  Random random_;
  const std::string what_;
  Outcome& outcome_;
};

// Crashes a workload at each of its calls.
class Crasher final : public SimObserver {
 public:
  Crasher(World& world, const Budget& budget, std::uint64_t seed, std::string name, Census& census, Outcome& outcome)
      : world_(world), budget_(budget), random_(seed), name_(std::move(name)), census_(census), outcome_(outcome) {}

  void after(const SimCall& call) override {
    const std::string at = name_ + " call " + std::to_string(call.index);
    for (const CrashModel model : kModels) {
      Chooser chooser(budget_.cap, budget_.samples, random_.next());
      std::uint64_t state = 0;
      do {
        const std::string what =
            at + " model " + std::to_string(static_cast<int>(model)) + " state " + std::to_string(state++);
        auto found = world_.disk().crash(model, chooser);
        ++outcome_.cases;
        const bool inside = random_.chance(budget_.inside_percent);
        RecoveryCrasher again(*found, world_.oracle(), random_.next(), what, outcome_);
        if (inside) found->set_observer(&again);
        verify(*found, world_.oracle(), After::power_loss, state, what, outcome_);
        found->set_observer(nullptr);
      } while (chooser.next());
      ++census_.points;
      if (chooser.complete()) ++census_.complete;
    }
    killed(at + " killed");
  }

 private:
  // The process dies, the machine does not: `process` records must be there, and after
  // the next process has opened the store, they must survive a power loss too.
  void killed(const std::string& what) {
    auto found = world_.disk().clone();
    ++outcome_.cases;
    if (!verify(*found, world_.oracle(), After::process_death, random_.next(), what, outcome_)) return;
    Oracle opened = world_.oracle();
    for (auto& log : opened.logs) log.synced();
    auto nothing = Chooser::random(1, 0);
    auto lost = found->crash(CrashModel::weak, nothing);
    ++outcome_.cases;
    verify(*lost, opened, After::power_loss, random_.next(), what + ", reopened, power lost", outcome_);
  }

  World& world_;
  const Budget& budget_;
  Random random_;
  const std::string name_;
  Census& census_;
  Outcome& outcome_;
};

std::string spell(const std::vector<Op>& workload) {
  std::ostringstream out;
  for (std::size_t i = 0; i < workload.size(); ++i) out << (i ? "," : "") << op_name(workload[i]);
  return out.str();
}

void crash_everywhere(const std::vector<Op>& workload, std::uint64_t seed, const Budget& budget, Census& census,
                      Outcome& outcome) {
  World world(seed);
  Crasher crasher(world, budget, seed, "seed " + std::to_string(seed) + " [" + spell(workload) + "]", census, outcome);
  world.disk().set_observer(&crasher);
  for (const Op op : workload)
    if (auto done = world.perform(op); !done)
      outcome.fail(&Outcome::wrong, "[" + spell(workload) + "] " + op_name(op) + ": " + done.error().text());
  world.disk().set_observer(nullptr);
}

std::vector<std::vector<Op>> small_workloads(int length) {
  std::vector<std::vector<Op>> all;
  std::vector<int> digits(static_cast<std::size_t>(length), 0);
  while (true) {
    std::vector<Op> workload;
    for (const int digit : digits) workload.push_back(static_cast<Op>(digit));
    all.push_back(std::move(workload));
    int at = length - 1;
    while (at >= 0 && ++digits[static_cast<std::size_t>(at)] == kSimpleOpCount)
      digits[static_cast<std::size_t>(at--)] = 0;
    if (at < 0) return all;
  }
}

std::vector<Op> long_workload(Random& random) {
  std::vector<Op> workload;
  const std::uint64_t length = 5 + random.below(12);
  for (std::uint64_t i = 0; i < length; ++i) workload.push_back(static_cast<Op>(random.below(kOpCount)));
  return workload;
}

}  // namespace

Outcome run_t1(const Options& options) {
  Budget budget;
  std::vector<std::vector<Op>> work;
  const int longest = options.size == Size::small ? 2 : 3;
  for (int length = 1; length <= longest; ++length)
    for (auto& each : small_workloads(length)) work.push_back(std::move(each));
  if (options.size == Size::check || options.size == Size::hours) budget = {24, 8, 3};
  const std::size_t exhaustive = work.size();
  Random random(options.seed);
  for (int i = 0, n = pick(options, 10, 40, 200); i < n; ++i) work.push_back(long_workload(random));

  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.hours * 3600);
  Census census;
  std::atomic<std::size_t> next{0};
  Outcome outcome = in_parallel([&](unsigned worker, unsigned, Outcome& found) {
    for (std::size_t i = next++; i < work.size(); i = next++)
      crash_everywhere(work[i], options.seed + i, budget, census, found);
    Random more(options.seed + 77 * (worker + 1));
    while (options.size == Size::hours && std::chrono::steady_clock::now() < end)
      crash_everywhere(long_workload(more), more.next(), budget, census, found);
  });
  outcome.unit = "states";
  outcome.note = "all " + std::to_string(exhaustive) + " workloads of up to " + std::to_string(longest) +
                 " operations, and random long ones; three models; every state at " + std::to_string(census.complete) +
                 " of " + std::to_string(census.points) + " points, at the others " + std::to_string(budget.cap) +
                 " and " + std::to_string(budget.samples) + " random ones; recovery crashed at " +
                 std::to_string(budget.inside_percent) + " % of them";
  return outcome;
}

}  // namespace holdfast::lab
