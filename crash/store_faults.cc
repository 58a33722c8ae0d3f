// T17: calls of a store on a simulated disk fail, once or until the fault is
// lifted. What was refused is not there, then or later; when the fault is gone the
// same process continues, the next one opens the store, and the power is cut.
#include <atomic>
#include <cerrno>

#include "parts.h"
#include "store_picture.h"
#include "store_verify.h"
#include "store_world.h"

namespace holdfast::lab {
namespace {

using Kind = Injection::Kind;

struct Fault {
  const char* name;
  Injection injection;
  bool only_syncs = false;
};

constexpr std::array<Fault, 8> kFaults{{
    {"ENOSPC", {Kind::fail, ENOSPC}},
    {"EIO", {Kind::fail, EIO}},
    {"EACCES", {Kind::fail, EACCES}},
    {"EROFS", {Kind::fail, EROFS}},
    {"short", {Kind::short_write, ENOSPC}},
    {"sync", {Kind::fail, EIO}, true},
    {"kill-before", {Kind::kill_before}},
    {"kill-inside", {Kind::kill_inside}},
}};

class StoreInjector final : public SimObserver {
 public:
  StoreInjector(std::uint64_t at, const Fault& fault, bool sticky) : at_(at), fault_(fault), sticky_(sticky) {}

  Injection before(const SimCall& call) override {
    if (!armed_ || call.index < at_ || (hit_ && !sticky_)) return {};
    const bool sync = call.kind == SimCallKind::sync || call.kind == SimCallKind::sync_directory;
    if (fault_.only_syncs && !sync) return {};
    hit_ = true;
    return fault_.injection;
  }
  void disarm() { armed_ = false; }
  bool hit() const { return hit_; }
  bool kills() const {
    return fault_.injection.kind == Kind::kill_before || fault_.injection.kind == Kind::kill_inside;
  }

 private:
  std::uint64_t at_;
  const Fault& fault_;
  bool sticky_;
  std::atomic<bool> armed_ = true;
  std::atomic<bool> hit_ = false;
};

struct Case {
  const StoreTraits* traits;
  std::uint64_t seed;
  std::uint64_t at;
  std::size_t fault;
  bool sticky;
};

constexpr int kDeeds = 8;

// The number of calls that create the store: faults begin afterwards.
std::uint64_t made(StoreWorld& world) {
  (void)world.door().call("store.create", "{}");
  return world.disk().calls();
}

void run_one(const Case& each, Outcome& outcome) {
  const StoreTraits& traits = *each.traits;
  const Fault& fault = kFaults[each.fault];
  std::string what = "--replay " + std::string(traits.name) + ":" + std::to_string(each.seed) + ":" +
                     std::to_string(each.at) + ":" + std::to_string(each.fault) + ":" + (each.sticky ? "1" : "0") +
                     " (" + fault.name + ")";
  // A layout that continues in memory acknowledges nothing, so it is tested with one process per call. While
  // nothing can be written, a process must stay, which is impossible with one process per call.
  const bool keep = !traits.goes_on && (each.sticky || each.seed % 3 != 0);
  StoreWorld world("t17", traits, each.seed, keep, each.sticky ? 1 : 2);
  StoreInjector injector(made(world) + each.at, fault, each.sticky);
  world.set_dead([&] { return injector.kills() && injector.hit(); });
  world.disk().set_observer(&injector);
  ++outcome.cases;
  const auto look = [&](const std::string& when, bool finished) {
    auto seen = look_at(world.door(), traits, false);
    if (!seen) return outcome.fail(&Outcome::unopenable, what + when + ": cannot read: " + seen.error().text());
    const Ledger ledger = world.ledger();
    adopt_unanswered(ledger, finished, *seen);
    ledger.compare(*seen, {.power_loss = false, .finished = finished}, what + when, outcome);
  };
  bool killed = false;
  bool told_nobody = false;  // a process ended that could not even leave a mark
  for (int i = 0; i < kDeeds && !killed; ++i) {
    const bool before = injector.hit();
    if (before && each.sticky) world.stay_in_process();
    const auto [deed, result] = world.act();
    what += (i == 0 ? " [" : ",") + deed + (before || !injector.hit() ? "" : "!");
    killed = injector.kills() && injector.hit();
    told_nobody = each.sticky && !killed && !before && injector.hit() && deed == "next_process";
    if (told_nobody) break;
    if (killed || result) continue;
    if (!injector.hit()) outcome.fail(&Outcome::wrong, what + ": failed without a fault: " + result.error().text());
    if (result.error().message.empty()) outcome.fail(&Outcome::wrong, what + ": an error without words");
    if (!withheld("t17", traits.layout, "look")) look("] " + std::string(code_name(result.error().code)), false);
  }
  what += "]";
  injector.disarm();
  if (told_nobody) {
    world.end_all();
    return world.disk().set_observer(nullptr);
  }
  if (killed) {
    world.disk().kill();
  } else {
    for (int i = 0; i < StoreWorld::kBasicOperations; ++i)
      if (auto [deed, result] = world.run_basic_operation(i); !result)
        outcome.fail(&Outcome::unopenable, what + ": the fault is gone, but " + deed + ": " + result.error().text());
    look(", and the fault is gone", true);
  }
  const Ledger ledger = world.ledger();
  auto alive = world.disk().clone();
  verify_store(*alive, kStoreTop, traits, ledger, {.power_loss = false}, each.at, what + ", the next process", outcome);
  auto chooser = Chooser::random(2, each.at);
  do {
    auto dark = world.disk().crash(CrashModel::weak, chooser);
    verify_store(*dark, kStoreTop, traits, ledger, {.power_loss = true}, each.at + 1, what + ", then power lost",
                 outcome);
  } while (chooser.next());
  world.end_all();
  world.disk().set_observer(nullptr);
}

std::uint64_t count_calls(const StoreTraits& traits, std::uint64_t seed) {
  StoreWorld world("t17", traits, seed, !traits.goes_on && seed % 3 != 0);
  const std::uint64_t before = made(world);
  for (int i = 0; i < kDeeds; ++i) (void)world.act();
  return world.disk().calls() - before;
}

std::vector<Case> replayed(const std::string& replay) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= replay.size();) {
    const std::size_t end = std::min(replay.find(':', at), replay.size());
    words.push_back(replay.substr(at, end - at));
    at = end + 1;
  }
  for (const StoreTraits& traits : store_traits())
    if (words.size() == 5 && traits.name == words[0])
      return {{&traits, std::stoull(words[1]), std::stoull(words[2]), std::stoull(words[3]), words[4] == "1"}};
  return {};
}

}  // namespace

Outcome run_t17(const Options& options) {
  std::vector<Case> cases = replayed(options.replay);
  Random random(options.seed);
  const std::uint64_t workloads = pick<std::uint64_t>(options, 2, 6, 30);
  const std::uint64_t points = pick<std::uint64_t>(options, 6, 6, 20);
  for (std::uint64_t i = 0; options.replay.empty() && i < workloads; ++i) {
    for (const StoreTraits& traits : store_traits()) {
      if (withheld("t17", traits.layout, "all")) continue;
      const std::uint64_t seed = options.seed * 1000 + i;
      const std::uint64_t calls = count_calls(traits, seed);
      for (std::uint64_t point = 0; point < points; ++point)
        for (std::size_t fault = 0; fault < kFaults.size(); ++fault) {
          if (withheld("t17", traits.layout, kFaults[fault].name)) continue;
          for (const bool sticky : {false, true}) cases.push_back({&traits, seed, random.below(calls), fault, sticky});
        }
    }
  }
  std::atomic<std::size_t> next{0};
  Outcome outcome = in_parallel([&](unsigned, unsigned, Outcome& found) {
    for (std::size_t i = next++; i < cases.size() && found.failures.size() < 10; i = next++) run_one(cases[i], found);
  });
  outcome.unit = "runs";
  outcome.note = std::to_string(workloads) + " workloads of each layout, " + std::to_string(points) +
                 " calls of each x 8 faults x {once, until it is lifted}";
  return outcome;
}

}  // namespace holdfast::lab
