#include "find/prices.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace holdfast::inline v1 {
namespace {

// The tokens that are paid at each of kPriceFigures.
std::array<std::int64_t, std::size(kPriceFigures)> paid_tokens(const Usage& usage) {
  const std::int64_t hour = std::min(usage.cache_write_1h, usage.cache_write);
  return {usage.input + 2 * hour, usage.output + usage.reasoning_apart, usage.cache_read, usage.cache_write - hour};
}

}  // namespace

double TokenPrice::of(const Usage& usage) const {
  const auto tokens = paid_tokens(usage);
  double sum = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    sum += static_cast<double>(tokens[i]) * (this->*kPriceFigures[i].figure).value_or(0);
  return sum / 1e6;
}

std::string TokenPrice::missing_for(const Usage& usage) const {
  const auto tokens = paid_tokens(usage);
  std::string names;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == 0 || this->*kPriceFigures[i].figure) continue;
    (names += names.empty() ? "" : ", ") += kPriceFigures[i].name;
  }
  return names;
}

std::optional<std::string> unpriced_name(std::string_view model, const TokenPrice& price, const Usage& usage) {
  const std::string missing = price.missing_for(usage);
  if (missing.empty()) return std::nullopt;
  if (model.empty() || price == TokenPrice()) return std::string(model);
  return std::string(model) + " (" + missing + ")";
}

}  // namespace holdfast::inline v1
