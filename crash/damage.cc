// T7: truncation, NULs, flipped bits and garbage at every byte of every kind of
// file in a store; then the store is opened and used. Everything that was not
// hit is returned as it was, nothing is invented, and the store works.
#include "damage.h"

#include <holdfast/document.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "parts.h"

namespace holdfast::lab {
namespace {

constexpr std::uint64_t kNobody = UINT64_MAX;

// Names the case in which a worker hangs, and ends the program: a hang is a failure.
class Watchdog {
 public:
  explicit Watchdog(std::uint64_t seed) : thread_([this, seed](const std::stop_token& stop) { watch(stop, seed); }) {}

  std::vector<std::atomic<std::uint64_t>> current = std::vector<std::atomic<std::uint64_t>>(64);

 private:
  void watch(const std::stop_token& stop, std::uint64_t seed) {
    std::vector<std::uint64_t> before(current.size(), kNobody);
    for (int tick = 1; !stop.stop_requested(); ++tick) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (tick % 600 != 0) continue;
      for (std::size_t i = 0; i < current.size(); ++i) {
        const std::uint64_t now = current[i];
        if (now != 0 && now == before[i]) {
          std::fprintf(stderr, "t7: hangs with seed %llu, variant %llu, case %llu\n",
                       static_cast<unsigned long long>(seed), static_cast<unsigned long long>(now >> 40),
                       static_cast<unsigned long long>((now & ((1ULL << 40) - 1)) - 1));
          std::abort();
        }
        before[i] = now;
      }
    }
  }

  std::jthread thread_;
};

// The n-th case of a store: every byte of every victim, with every harm.
bool nth_case(const DamageStore& store, std::uint64_t number, DamageCase& out) {
  out.variant = store.variant;
  out.harm = static_cast<Harm>(number % kHarmCount);
  number /= kHarmCount;
  for (int i = 0; i < kVictimCount; ++i) {
    out.victim = static_cast<Victim>(i);
    out.at = static_cast<std::size_t>(number);
    const std::size_t size = store.bytes[static_cast<std::size_t>(i)].size();
    if (number < size) return true;
    number -= size;
  }
  return false;
}

// A newer schema is not damage, whatever is requested.
void check_newer_schema(const DamageStore& store, Outcome& outcome) {
  auto disk = store.quiet->clone();
  std::string newer = store.document;
  newer.replace(newer.find("\"schema_version\": 1"), 19, "\"schema_version\": 2");
  (void)disk->put_file("/a/one.json", newer);
  const auto root = Root::open({}, *disk, "/a");
  if (!root) return outcome.fail(&Outcome::unopenable, root.error().text());
  for (const bool move : {false, true}) {
    LoadOptions options;
    options.move_bad_aside = move;
    const auto loaded = load_document({}, **root, "one.json", options);
    ++outcome.cases;
    if (loaded || loaded.error().code != Code::newer_schema || disk->read_file("/a/one.json") != newer)
      outcome.fail(&Outcome::wrong, "a document of a newer version is not left alone");
  }
}

Outcome replay(const Options& options) {
  Outcome outcome;
  DamageCase which;
  std::string why = "no such case";
  const bool parsed = DamageCase::parse(options.replay, which);
  const auto store = parsed ? make_damage_store(options.seed, which.variant, why) : nullptr;
  if (!store || which.at >= store->bytes[static_cast<std::size_t>(which.victim)].size()) {
    outcome.fail(&Outcome::wrong, options.replay + ": " + why);
    return outcome;
  }
  FlipTally tally;
  check_damage(*store, which, options.seed, tally, outcome);
  outcome.note = "one case";
  return outcome;
}

}  // namespace

Outcome run_t7(const Options& options) {
  if (!options.replay.empty()) return replay(options);
  // Every case costs about the same, so workers take every n-th one. The small size
  // takes every 50th of the same cases; 50 and 17 are coprime.
  const std::uint64_t variants = pick<std::uint64_t>(options, 11, 11, 40);
  const std::uint64_t stride = options.size == Size::small ? 50 : 1;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.hours * 3600);
  FlipTally tally;
  Watchdog watchdog(options.seed);
  Outcome outcome = in_parallel([&](unsigned worker, unsigned workers, Outcome& found) {
    auto& current = watchdog.current[worker % watchdog.current.size()];
    for (std::uint64_t variant = 0;; ++variant) {
      if (options.size == Size::hours ? std::chrono::steady_clock::now() >= end : variant >= variants) break;
      std::string why;
      const auto store = make_damage_store(options.seed, variant, why);
      if (!store) {
        found.fail(&Outcome::unopenable, why);
        break;
      }
      if (worker == 0) check_newer_schema(*store, found);
      DamageCase which;
      for (std::uint64_t number = worker * stride; nth_case(*store, number, which); number += workers * stride) {
        current = variant << 40 | (number + 1);
        check_damage(*store, which, options.seed, tally, found);
      }
    }
    current = 0;
  });
  const double silent =
      tally.flips == 0 ? 0 : 100.0 * static_cast<double>(tally.silent) / static_cast<double>(tally.flips);
  char note[200];
  std::snprintf(
      note, sizeof note,
      "%d ways at every byte of %d kinds of file; %llu bits of logs flipped, %.1f %% of them silent to a parser, "
      "all of those in covered bytes reported by the checksums",
      kHarmCount, kVictimCount, static_cast<unsigned long long>(tally.flips.load()), silent);
  outcome.note = note;
  return outcome;
}

}  // namespace holdfast::lab
