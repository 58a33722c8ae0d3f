// Public list prices of model vendors: US dollars per million tokens, without taxes,
// discounts, or the higher prices of some for very long prompts. Each row states the
// source and date of its figures. A user's own [prices] take precedence.
// Thread-safety: constants and pure functions.
#pragma once

#include <string>
#include <string_view>

#include "find/prices.h"

namespace holdfast::inline v1 {

// An npm package whose data the figures were taken from.
struct PriceSource {
  std::string_view package, version, date;
};

struct ListPrice {
  std::string_view model;
  TokenPrice price;  // cache tokens without a listed price cost as much as other input
  const PriceSource& source;
};

// Returns a model's name without provider, date or a variant with the same price:
// "claude-opus-4-5" for "anthropic/claude-opus-4-5-20251101[1m]".
std::string plain_model(std::string_view model);

// Returns the price of the model with exactly that plain name (not just the same prefix);
// nullptr if it is not listed.
const ListPrice* list_price_of(std::string_view model);

// Returns the user's prices, and the list prices for figures that the user has not set; without values if there are
// neither.
TokenPrice known_price(const PriceTable& own, std::string_view model);

}  // namespace holdfast::inline v1
