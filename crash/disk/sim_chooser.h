// Decides every open question of a crash: which unsynced operation survived,
// how long a torn write is. One Chooser enumerates all outcomes of ONE crash
// point, in this order: nothing survives, everything survives, then every other
// combination, or random ones if there are too many:
//
//   Chooser chooser(1000, 200, seed);
//   do { auto after = disk.crash(CrashModel::weak, chooser); ... } while (chooser.next());
//
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace holdfast::inline v1 {

// A small, fast, repeatable source of random bits (SplitMix64).
struct SimRandom {
  std::uint64_t state = 0;
  std::uint64_t next();
};

class Chooser {
 public:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  // Enumerates up to `cap` combinations; if there are more, `samples` random
  // ones follow, which may repeat enumerated ones.
  Chooser(std::uint64_t cap, std::uint64_t samples, std::uint64_t seed);

  static Chooser exhaustive() { return Chooser(kUnlimited, 0, 0); }
  // The two extremes, then random combinations: `samples` in total (at least one).
  static Chooser random(std::uint64_t samples, std::uint64_t seed);

  // Returns one of 0 .. count-1; count >= 1. By convention 0 means that nothing
  // of it survived and count-1 that all of it did. Random choices out of many
  // prefer the two ends, because whole operations matter as much as torn ones.
  std::uint64_t choose(std::uint64_t count);

  // Advances to the next combination; false if none is left. Must be called after a whole run of choices.
  bool next();

  // True once every combination was seen.
  bool complete() const { return complete_; }

 private:
  enum class Phase { nothing, everything, counting, sampling };
  struct Digit {
    std::uint64_t value;
    std::uint64_t count;
  };

  bool start_sampling();
  bool advance();

  std::uint64_t cap_;
  std::uint64_t samples_;
  SimRandom random_;
  Phase phase_ = Phase::nothing;
  bool complete_ = false;
  bool counting_allowed_ = true;
  std::uint64_t runs_ = 1;
  std::size_t position_ = 0;           // index of the next choice in this run
  std::size_t everything_length_ = 0;  // number of choices in the run in which everything survived
  std::vector<Digit> digits_;          // the odometer; the last digit turns fastest
};

}  // namespace holdfast::inline v1
