#include "demo/numbers.h"

#include <fmt/core.h>

#include <array>
#include <string_view>

namespace holdfast::inline v1 {
namespace {

std::string short_number(double value) {
  return value < 9.95 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

}  // namespace

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

std::string in_bytes(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 4> kUnits{"KB", "MB", "GB", "TB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return short_number(value) + " " + std::string(kUnits[unit]);
}

std::string in_time(double microseconds) {
  if (microseconds < 999.5) return short_number(microseconds) + " us";
  return short_number(microseconds / 1000) + " ms";
}

}  // namespace holdfast::inline v1
