// The current time and randomness, as far as a layout may use them.
#pragma once

#include <holdfast/error.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

namespace holdfast::inline v1 {

struct Moment {
  std::chrono::system_clock::time_point now;
  std::function<std::uint64_t()> entropy;  // returns 64 random bits per call
  // The next number of a series of this store, at least `floor`; no number is ever returned twice.
  std::function<Result<std::uint64_t>(std::string_view series, std::uint64_t floor)> number = {};
};

}  // namespace holdfast::inline v1
