// What one session cost: as its agent recorded it, and by prices where it did not.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "find/prices.h"
#include "model/rollup.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

struct SessionCost {
  double recorded = 0, estimated = 0;   // US dollars
  std::set<std::string> unpriced = {};  // models without a price; their tokens are in neither

  double total() const { return recorded + estimated; }
  // "$1.23", "~$1.23" where some of it is by prices; empty: nothing is known.
  std::string text() const;
};

SessionCost cost_of(const Rollup& rollup, const PriceTable& own);

// What one answer cost by prices; nullopt: its agent recorded it, or there are no tokens, or no price.
std::optional<double> estimated_cost(const Message& message, const PriceTable& own);

// Looks through the session once, without its texts.
Result<SessionCost> cost_of(const Context& context, FileStore& store, const SessionRef& ref, const PriceTable& own);

}  // namespace holdfast::inline v1
