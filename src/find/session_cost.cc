#include "find/session_cost.h"

#include <array>
#include <cstdio>

#include "find/list_prices.h"
#include "model/tally.h"

namespace holdfast::inline v1 {
namespace {

struct Counting final : Events {
  void facts(const SessionFacts& facts) override { tally.facts(facts); }
  bool message(Message message) override {
    tally.count(message);
    return true;
  }
  Tally tally;
};

}  // namespace

std::string SessionCost::text() const {
  if (total() <= 0) return {};
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s$%.2f", estimated > 0 ? "~" : "", total());
  return text.data();
}

void SessionCost::add(std::string_view model, const Usage& usage, const PriceTable& own) {
  const TokenPrice price = known_price(own, model);
  estimated += price.of(usage);
  if (auto named = unpriced_name(model, price, usage)) unpriced.insert(*std::move(named));
}

SessionCost cost_of(const Rollup& rollup, const PriceTable& own) {
  SessionCost cost;
  for (const RollupItem& item : rollup.items) {
    if (item.kind != RollupItem::Kind::response) continue;
    if (item.priced) {
      cost.recorded += item.cost;
      continue;
    }
    if (item.usage == Usage()) continue;
    cost.add(rollup.slots[item.slot].model, item.usage, own);
  }
  return cost;
}

std::optional<double> estimated_cost(const MessageView& message, const PriceTable& own) {
  if (!message.cost.empty() || !message.usage || *message.usage == Usage()) return std::nullopt;
  const TokenPrice price = known_price(own, message.model.text());
  if (price == TokenPrice()) return std::nullopt;
  return price.of(*message.usage);
}

std::optional<double> estimated_cost(const Message& message, const PriceTable& own) {
  return estimated_cost(MessageView{.model = message.model, .usage = message.usage, .cost = message.cost}, own);
}

Result<SessionCost> cost_of(const Context& context, FileStore& store, const SessionRef& ref, const PriceTable& own) {
  DirectoryFeed feed = store.looking(context);
  Counting counting;
  HOLDFAST_TRY(store.layout().read(feed, ref, {.whole = false}, counting));
  return cost_of(counting.tally.rollup(), own);
}

}  // namespace holdfast::inline v1
