// The cost of one session: as its agent recorded it, and estimated from prices otherwise.
// Thread-safety: pure functions.
#pragma once

#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "find/prices.h"
#include "model/message_view.h"
#include "model/rollup.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

struct SessionCost {
  double recorded = 0, estimated = 0;  // US dollars
  // Models that lack a price, as unpriced_name names them; tokens without one are in neither sum.
  std::set<std::string> unpriced = {};

  // Adds the estimated cost of these tokens.
  void add(std::string_view model, const Usage& usage, const PriceTable& own);

  double total() const { return recorded + estimated; }
  // "$1.23", or "~$1.23" if part of it is estimated; empty if nothing is known.
  std::string text() const;
};

SessionCost cost_of(const Rollup& rollup, const PriceTable& own);

// Estimates the cost of one answer from prices; nullopt if its agent recorded the cost, or if there are no tokens or no
// price.
std::optional<double> estimated_cost(const Message& message, const PriceTable& own);
std::optional<double> estimated_cost(const MessageView& message, const PriceTable& own);

// Reads through the session once, without its texts.
Result<SessionCost> cost_of(const Context& context, FileStore& store, const SessionRef& ref, const PriceTable& own);

// A sum of dollars as it is shown: the order in which it was added up must not be visible in its last digits.
inline double rounded_usd(double sum) { return std::round(sum * 1e9) / 1e9; }

}  // namespace holdfast::inline v1
