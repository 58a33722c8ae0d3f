// What the makers of models ask in public: US dollars for a million tokens, without
// taxes, discounts, and the higher prices of some for very long prompts. Each row says
// where its figures are from and of which day they are. A user's own [prices] come first.
// Thread-safety: constants and pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "find/prices.h"

namespace holdfast::inline v1 {

// A package of npm whose data the figures were taken from.
struct PriceSource {
  std::string_view package, version, date;
};

struct ListPrice {
  std::string_view model;
  TokenPrice price;  // what is not listed for the cache costs what other input costs
  const PriceSource& source;
};

std::span<const ListPrice> list_prices();

// A model's name without what says a provider, a date or a variant of the same price:
// "claude-opus-4-5" of "anthropic/claude-opus-4-5-20251101[1m]".
std::string plain_model(std::string_view model);

// Of the model with exactly that plain name; one that only begins alike is another model.
// nullptr: it is not listed.
const ListPrice* list_price_of(std::string_view model);

// What the user says, else what is listed; nullptr: nobody says.
const TokenPrice* known_price(const PriceTable& own, std::string_view model);

}  // namespace holdfast::inline v1
