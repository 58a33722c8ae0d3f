// T16: a store of every writable layout on a simulated disk, used through the
// table of operations. After sampled changes to the disk the power is cut, by
// three models, or the process is killed. The next process opens the store and
// must find what was acknowledged, once, and nothing else.
#include <atomic>
#include <chrono>

#include "parts.h"
#include "store_scenes.h"
#include "store_verify.h"
#include "store_world.h"

namespace holdfast::lab {
namespace {

constexpr CrashModel kModels[] = {CrashModel::ordered, CrashModel::ext4_nul, CrashModel::weak};

struct Budget {
  unsigned percent = 4;       // of the calls that change the disk
  std::uint64_t samples = 2;  // states per model
  int deeds = 12;             // per workload
};

// Calls come from any thread, because index files are written in the background.
class StoreCrasher final : public SimObserver {
 public:
  StoreCrasher(StoreWorld& world, const StoreTraits& traits, const Budget& budget, std::uint64_t seed, Outcome& outcome)
      : world_(world), traits_(traits), budget_(budget), random_(seed), outcome_(outcome) {}

  void after(const SimCall& call) override {
    const std::scoped_lock guard(mutex_);
    if (random_.chance(budget_.percent)) crash("call " + std::to_string(call.index));
  }

  void between_calls(const std::string& doing) {
    const std::scoped_lock guard(mutex_);
    doing_ = doing;
    if (random_.chance(budget_.percent)) crash("at rest");
  }

 private:
  void crash(const std::string& at) {
    const std::string where = doing_ + ", " + at;
    for (const CrashModel model : kModels) {
      auto chooser = Chooser::random(budget_.samples, random_.next());
      int state = 0;
      do {
        const Ledger ledger = world_.ledger();
        auto found = world_.disk().crash(model, chooser);
        ++outcome_.cases;
        verify_store(*found, kStoreTop, traits_, ledger, {.power_loss = true}, random_.next(),
                     where + " model " + std::to_string(static_cast<int>(model)) + " state " + std::to_string(state++),
                     outcome_);
      } while (chooser.next());
    }
    const Ledger ledger = world_.ledger();
    auto found = world_.disk().clone();
    ++outcome_.cases;
    verify_store(*found, kStoreTop, traits_, ledger, {.power_loss = false}, random_.next(), where + " killed",
                 outcome_);
  }

  StoreWorld& world_;
  const StoreTraits& traits_;
  const Budget& budget_;
  std::mutex mutex_;
  Random random_;
  std::string doing_;
  Outcome& outcome_;
};

void crash_workload(const StoreTraits& traits, std::uint64_t seed, const Budget& budget, Outcome& outcome) {
  const std::string name = "--replay " + std::string(traits.name) + ":" + std::to_string(seed);
  StoreWorld world("t16", traits, seed, seed % 3 != 0);
  StoreCrasher crasher(world, traits, budget, seed, outcome);
  world.disk().set_observer(&crasher);
  std::string history = name;
  for (int i = 0; i < budget.deeds && outcome.failures.size() < 10; ++i) {
    crasher.between_calls(history);
    const auto [deed, result] = world.act();
    history += (i == 0 ? " [" : ",") + deed;
    if (!result) outcome.fail(&Outcome::wrong, history + "]: failed without a fault: " + result.error().text());
  }
  world.end_all();  // until now, index files are written in the background
  world.disk().set_observer(nullptr);
}

}  // namespace

Outcome run_t16(const Options& options) {
  struct Case {
    const StoreTraits* traits;
    std::uint64_t seed;
  };
  Budget budget{.percent = pick(options, 4U, 6U, 8U), .samples = pick<std::uint64_t>(options, 2, 2, 4)};
  std::vector<Case> cases;
  const auto colon = options.replay.find(':');
  for (std::uint64_t i = 0, n = pick<std::uint64_t>(options, 8, 30, 120); i < n; ++i) {
    for (const StoreTraits& traits : store_traits()) {
      if (withheld("t16", traits.layout, "all")) continue;
      if (options.replay.empty())
        cases.push_back({&traits, options.seed * 1000 + i});
      else if (i == 0 && colon != std::string::npos && traits.name == options.replay.substr(0, colon))
        cases.push_back({&traits, std::strtoull(options.replay.c_str() + colon + 1, nullptr, 10)});
    }
  }
  std::atomic<std::size_t> next{0};
  Outcome outcome = in_parallel([&](unsigned, unsigned, Outcome& found) {
    for (std::size_t i = next++; i < cases.size(); i = next++)
      crash_workload(*cases[i].traits, cases[i].seed, budget, found);
  });
  for (const StoreTraits& traits : store_traits()) {
    if (!options.replay.empty() || !traits.talks) continue;
    const auto plays = [&](std::string_view scene) { return !withheld("scene", traits.layout, scene); };
    if (plays("lost_lease")) play_lost_lease(traits, outcome);
    if (plays("flipped_text") && traits.large > 0) play_flipped_text(traits, outcome);
    if (plays("trashed_meanwhile") && traits.trash) play_trashed_meanwhile(traits, outcome);
  }
  outcome.unit = "states";
  outcome.note = std::to_string(cases.size()) + " workloads of " + std::to_string(budget.deeds) + " operations over " +
                 std::to_string(store_traits().size()) + " layouts; three models, and the kill of a process";
  return outcome;
}

}  // namespace holdfast::lab
