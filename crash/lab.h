// The crash laboratory: each part attacks the floor in one way and counts what it
// did to acknowledged records. `holdfast_lab` runs parts and prints one table.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::lab {

enum class Size {
  small,  // seconds: for mutants and sanitizers
  ci,     // ./dev test
  check,  // ./dev check
  hours,  // ./dev crash: until the time is over
};

struct Options {
  Size size = Size::ci;
  double hours = 0;             // Size::hours: per part
  std::uint64_t histories = 0;  // of the parts that make up random ones; 0: as many as the size says
  std::uint64_t seed = 1;       // determines everything random
  std::string replay;           // one case, as printed by a failure
  std::string scratch;          // a separate empty directory for each part, removed afterwards
  std::string program;          // this program, to be started again as a writer
};

// Called by Outcome::fail if set, in the thread that found something broken:
// then a mutant is dead and need not run the part to its end.
inline void (*at_failure)(const std::string& what) = nullptr;

// The result of a part. Lost, altered and unopenable must be 0.
struct Outcome {
  std::uint64_t cases = 0;  // states, runs, kills, cycles, ...
  std::string unit = "cases";
  std::uint64_t acknowledged = 0;     // records whose fate was checked
  std::uint64_t lost = 0;             // acknowledged and gone
  std::uint64_t altered = 0;          // complete lines changed
  std::uint64_t unopenable = 0;       // stores that cannot be opened or read
  std::uint64_t wrong = 0;            // any other broken promise
  std::vector<std::string> failures;  // the first few, each with how to replay it
  std::string note;                   // figures for people
  std::string skipped;                // why it could not run here; empty if it ran

  bool ok() const { return lost + altered + unopenable + wrong == 0; }
  void fail(std::uint64_t Outcome::* count, std::string what) {
    if (at_failure != nullptr) at_failure(what);
    ++(this->*count);
    if (failures.size() < 10) failures.push_back(std::move(what));
  }
  // Adds the counts of another worker of the same part.
  void merge(const Outcome& other);
};

// What a part does with --hours.
enum class Hours {
  itself,  // it runs until the time is over
  seeds,   // it is repeated with the next seed until the time is over
  once,    // nothing in it is random, so a second run would be the same
};

struct Part {
  std::string_view name;   // "t1"
  std::string_view title;  // one line
  Outcome (*run)(const Options&);
  Hours hours = Hours::seeds;
  bool has_histories = false;  // it makes up random ones, as many as --histories says
};

// Runs a part once, or with --hours as often as possible.
Outcome run_part(const Part& part, const Options& options);

const std::vector<Part>& parts();  // crash/parts.cc: the table

// Runs `work(worker, outcome)` in as many threads as there are processors (at least two) and merges the outcomes.
Outcome in_parallel(const std::function<void(unsigned worker, unsigned workers, Outcome&)>& work);

// The value for the size of the run.
template <typename T>
T pick(const Options& options, T small, T ci, T check) {
  return options.size == Size::small ? small : options.size == Size::ci ? ci : check;
}

// The number of random histories to run.
inline std::uint64_t histories(const Options& options, std::uint64_t small, std::uint64_t ci, std::uint64_t check) {
  return options.histories != 0 ? options.histories : pick(options, small, ci, check);
}

// Missing privileges or devices: a failure under CI, a reported skip elsewhere.
Outcome cannot_run(std::string why);

// A small, fast, seedable source of random numbers.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 0x1234567) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t limit) { return limit == 0 ? 0 : next() % limit; }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

}  // namespace holdfast::lab
