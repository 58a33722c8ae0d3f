#include "layout/lopen/paths.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "base/ascii.h"

namespace holdfast::inline v1::lopen {
namespace {

constexpr std::size_t kLongestModule = 100;

std::optional<std::uint64_t> number_in(std::string_view digits) {
  std::uint64_t number = 0;
  if (digits.empty() || !std::ranges::all_of(digits, is_ascii_digit)) return std::nullopt;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (fault != std::errc() || number > INT64_MAX / 2) return std::nullopt;
  return number;
}

bool is_date(std::string_view digits) {
  if (digits.size() != 8) return false;
  const auto number = number_in(digits);
  if (!number) return false;
  using namespace std::chrono;
  return year_month_day(year(static_cast<int>(*number / 10000)), month(static_cast<unsigned>(*number / 100 % 100)),
                        day(static_cast<unsigned>(*number % 100)))
      .ok();
}

}  // namespace

bool is_module_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestModule || !is_ascii_lower(name.front())) return false;
  return std::ranges::all_of(
      name, [](char letter) { return is_ascii_digit(letter) || letter == '-' || is_ascii_lower(letter); });
}

Result<void> check_module_name(std::string_view name) {
  if (is_module_name(name)) return {};
  if (name.size() > kLongestModule)
    return fail(Code::invalid_argument, "the name of a module must have at most " + std::to_string(kLongestModule) +
                                            " letters, not " + std::to_string(name.size()));
  return fail(Code::invalid_argument, "not a valid module name: \"" + std::string(name) +
                                          "\"; use letters, digits and '-', starting with a letter");
}

std::optional<SessionName> parse_session_name(std::string_view id) {
  const std::size_t last = id.rfind('-');
  if (last == std::string_view::npos || last < 9) return std::nullopt;
  const auto counter = number_in(id.substr(last + 1));
  if (!counter || *counter == 0 || id[last - 9] != '-') return std::nullopt;
  SessionName name{std::string(id.substr(0, last - 9)), std::string(id.substr(last - 8, 8)), *counter};
  if (!is_module_name(name.module) || !is_date(name.date)) return std::nullopt;
  return name;
}

}  // namespace holdfast::inline v1::lopen
