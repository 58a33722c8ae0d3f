#include "crash/disk/sim_chooser.h"

#include <algorithm>

namespace holdfast::inline v1 {

std::uint64_t SimRandom::next() {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

Chooser::Chooser(std::uint64_t cap, std::uint64_t samples, std::uint64_t seed)
    : cap_(cap), samples_(samples), random_{seed} {}

Chooser Chooser::random(std::uint64_t samples, std::uint64_t seed) {
  Chooser chooser(2, samples > 2 ? samples - 2 : 0, seed);
  chooser.counting_allowed_ = false;
  if (samples < 2) chooser.cap_ = 1;
  return chooser;
}

std::uint64_t Chooser::choose(std::uint64_t count) {
  if (count <= 1) return 0;
  const std::size_t at = position_++;
  switch (phase_) {
    case Phase::everything: return count - 1;
    case Phase::sampling: {
      const std::uint64_t bits = random_.next();
      if (count > 4) {
        if ((bits >> 61) == 0) return 0;
        if ((bits >> 61) == 1) return count - 1;
      }
      return (bits & 0xffffffffffffu) % count;
    }
    case Phase::nothing:
    case Phase::counting: break;
  }
  if (at == digits_.size()) digits_.push_back({0, count});
  return digits_[at].value;
}

bool Chooser::next() {
  const std::size_t used = position_;
  position_ = 0;
  if (phase_ == Phase::sampling) {
    if (samples_ == 0) return false;
    --samples_;
    return true;
  }
  if (phase_ == Phase::nothing) {
    if (digits_.empty()) {
      complete_ = true;
      return false;
    }
    if (runs_ >= cap_) return start_sampling();
    ++runs_;
    phase_ = Phase::everything;
    return true;
  }
  if (phase_ == Phase::everything) everything_length_ = used;
  phase_ = Phase::counting;
  if (!advance()) {
    complete_ = true;
    return false;
  }
  if (runs_ >= cap_ || !counting_allowed_) return start_sampling();
  ++runs_;
  return true;
}

// Returns false if the next combination is the one in which everything
// survived: it is the last one, and was already shown second.
bool Chooser::advance() {
  while (!digits_.empty() && digits_.back().value + 1 == digits_.back().count) digits_.pop_back();
  if (digits_.empty()) return false;
  ++digits_.back().value;
  const bool all_last = std::ranges::all_of(digits_, [](const Digit& d) { return d.value + 1 == d.count; });
  return !(all_last && digits_.size() == everything_length_);
}

bool Chooser::start_sampling() {
  phase_ = Phase::sampling;
  if (samples_ == 0) return false;
  --samples_;
  return true;
}

}  // namespace holdfast::inline v1
