#include "model/rollup.h"

#include <bit>

#include "model/usage_figures.h"

namespace holdfast::inline v1 {
namespace {

// Bits of an item's first byte, above its kind.
constexpr std::uint64_t kSide = 4, kAnswer = 8, kPriced = 16, kNamed = 32, kMoment = 64, kUsage = 128;

// A prompt's moment has its time.
bool has_said(const RollupItem& item) { return item.kind != RollupItem::Kind::prompt && item.name != 0; }

}  // namespace

void pack_rollup(Packer& out, const Rollup& rollup) {
  out.number(rollup.slots.size());
  for (const RollupSlot& slot : rollup.slots) {
    out.text(slot.quarter);
    out.text(slot.model);
  }
  out.number(rollup.items.size());
  for (const RollupItem& item : rollup.items) {
    const bool used = item.usage != Usage();
    out.byte(static_cast<std::uint8_t>(static_cast<std::uint64_t>(item.kind) | (item.side ? kSide : 0) |
                                       (item.answer ? kAnswer : 0) | (item.priced ? kPriced : 0) |
                                       (item.name != 0 ? kNamed : 0) | (item.moment != 0 ? kMoment : 0) |
                                       (used ? kUsage : 0)));
    out.number(item.slot);
    if (item.name != 0) out.fixed(item.name);
    if (item.moment != 0) out.fixed(item.moment);
    if (has_said(item)) out.fixed(item.said);
    if (item.priced) out.fixed(std::bit_cast<std::uint64_t>(item.cost));
    if (!used) continue;
    for (const auto figure : kUsageFigures) out.signed_number(item.usage.*figure);
  }
}

Rollup unpack_rollup(Unpacker& in) {
  Rollup rollup;
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    RollupSlot& slot = rollup.slots.emplace_back();
    slot.quarter = in.text();
    slot.model = in.text();
  }
  std::uint64_t left = in.number();
  if (left <= in.left()) rollup.items.reserve(left);
  for (; left > 0 && in.ok(); --left) {
    RollupItem& item = rollup.items.emplace_back();
    const std::uint64_t bits = in.byte();
    item.kind = static_cast<RollupItem::Kind>(bits & 3U);
    item.side = (bits & kSide) != 0;
    item.answer = (bits & kAnswer) != 0;
    item.priced = (bits & kPriced) != 0;
    const std::uint64_t slot = in.number();
    if (slot >= rollup.slots.size()) in.reject();
    item.slot = static_cast<std::uint32_t>(slot);
    if ((bits & kNamed) != 0) item.name = in.fixed();
    if ((bits & kMoment) != 0) item.moment = in.fixed();
    if (has_said(item)) item.said = in.fixed();
    if (item.priced) item.cost = std::bit_cast<double>(in.fixed());
    if ((bits & kUsage) == 0) continue;
    for (const auto figure : kUsageFigures) item.usage.*figure = in.signed_number();
  }
  return rollup;
}

}  // namespace holdfast::inline v1
