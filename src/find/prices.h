// The cost of tokens by model, from the user's settings: US dollars per million. Plain
// values.
#pragma once

#include <holdfast/message.h>

#include <map>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct TokenPrice {
  double input = 0;
  double output = 0;
  double cache_read = 0;
  double cache_write = 0;

  double of(const Usage& usage) const {
    return (static_cast<double>(usage.input) * input + static_cast<double>(usage.output) * output +
            static_cast<double>(usage.cache_read) * cache_read + static_cast<double>(usage.cache_write) * cache_write) /
           1e6;
  }
};

// Keyed by prefix of a model's name: "claude-opus-4" is also the price of
// "claude-opus-4-20250514". The longest matching prefix wins.
using PriceTable = std::map<std::string, TokenPrice, std::less<>>;

// Returns nullptr if no price is configured.
inline const TokenPrice* price_of(const PriceTable& prices, std::string_view model) {
  const TokenPrice* best = nullptr;
  std::size_t length = 0;
  for (const auto& [name, price] : prices) {
    if (!model.starts_with(name) || name.size() < length) continue;
    best = &price;
    length = name.size();
  }
  return best;
}

}  // namespace holdfast::inline v1
