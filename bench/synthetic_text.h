// Made-up text for synthetic stores: prose, code and command output with words
// distributed as in real ones, already escaped for a JSON string. Everything
// depends on the seed. Thread-safety: one owner each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::bench {

// splitmix64
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t mixed = (state_ += 0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }
  std::uint64_t below(std::uint64_t end) { return next() % end; }
  std::uint64_t between(std::uint64_t from, std::uint64_t to) { return from + below(to - from + 1); }
  bool one_in(std::uint64_t chances) { return below(chances) == 0; }
  // Between 0 and 1.
  double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

// Slices of one long text, cut between its pieces: cheap to produce by the gigabyte.
class TextPool {
 public:
  enum class Kind { prose, code };
  TextPool(Kind kind, std::uint64_t seed, std::size_t bytes);
  // About `bytes` long, at most the whole pool; never empty.
  std::string_view slice(Dice& dice, std::size_t bytes) const;

 private:
  std::string text_;
  std::vector<std::size_t> cuts_;
};

}  // namespace holdfast::bench
