// The cost of tokens by model: US dollars per million. Plain values.
#pragma once

#include <holdfast/message.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// A price that is not known has no value.
struct TokenPrice {
  std::optional<double> input = {};
  std::optional<double> output = {};
  std::optional<double> cache_read = {};
  std::optional<double> cache_write = {};

  bool operator==(const TokenPrice&) const = default;

  // Thinking costs as much as other output. What Anthropic keeps in its cache for an hour costs twice the input price.
  // Tokens without a price cost nothing.
  double of(const Usage& usage) const;
  // The names of the prices that these tokens need and that are not known: "output, cache_read".
  std::string missing_for(const Usage& usage) const;
};

struct PriceFigure {
  std::string_view name;  // in the configuration
  std::optional<double> TokenPrice::* figure;
};
inline constexpr PriceFigure kPriceFigures[] = {{"input", &TokenPrice::input},
                                                {"output", &TokenPrice::output},
                                                {"cache_read", &TokenPrice::cache_read},
                                                {"cache_write", &TokenPrice::cache_write}};

// The user's own prices, keyed by the beginning of a model's name: "claude-opus-4" is also the price of
// "claude-opus-4-20250514". Each of the four figures is that of the longest name which sets it.
using PriceTable = std::map<std::string, TokenPrice, std::less<>>;

// What a warning calls a model that lacks a price for some of these tokens: MODEL, or MODEL (output, cache_read) if it
// has other prices. Nothing if all of them have a price.
std::optional<std::string> unpriced_name(std::string_view model, const TokenPrice& price, const Usage& usage);

}  // namespace holdfast::inline v1
