#include "find/counted_json.h"

#include <algorithm>
#include <map>

#include "find/list_prices.h"
#include "find/stats.h"
#include "model/usage_figures.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 40;  // sums of millions of these do not overflow

void write(JsonWriter& json, const Usage& usage) {
  json.begin_array();
  for (const auto figure : kUsageFigures) json.int64(usage.*figure);
  json.end_array();
}

std::int64_t figure_of(JsonView value) { return std::clamp<std::int64_t>(value.as_int64().value_or(0), 0, kMost); }
double cost_in(JsonView value) { return std::clamp(value.as_double().value_or(0), 0.0, 1e12); }

std::vector<JsonView> parts_of(JsonView array) {
  std::vector<JsonView> parts;
  for (const JsonItem& item : array.elements()) parts.push_back(item.value);
  return parts;
}

Usage usage_in(JsonView array) {
  Usage usage;
  std::size_t at = 0;
  for (const JsonView value : parts_of(array))
    if (at < std::size(kUsageFigures)) usage.*kUsageFigures[at++] = figure_of(value);
  return usage;
}

struct Spent {
  Usage unpriced = {};
  double cost = 0;
};

// Sums by model, like cost_of.
std::map<std::string, Spent> spent_in(const Rollup& rollup) {
  std::map<std::string, Spent> spent;
  for (const RollupItem& item : rollup.items) {
    if (item.kind != RollupItem::Kind::response || item.slot >= rollup.slots.size()) continue;
    Spent& one = spent[rollup.slots[item.slot].model];
    if (item.priced) {
      one.cost += item.cost;
      continue;
    }
    one.unpriced += item.usage;
  }
  return spent;
}

}  // namespace

std::string write_counted(const Share& share, const Rollup& rollup) {
  JsonWriter json;
  json.begin_object().key("slots").begin_array();
  for (const ShareSlot& slot : share) {
    json.begin_array().string(slot.slot.quarter).string(slot.slot.model).int64(slot.prompts).int64(slot.answers);
    json.int64(slot.tool_calls).int64(slot.tool_results);
    write(json, slot.usage);
    write(json, slot.unpriced);
    json.number(slot.cost).end_array();
  }
  json.end_array().key("spent").begin_array();
  for (const auto& [model, spent] : spent_in(rollup)) {
    json.begin_array().string(model);
    write(json, spent.unpriced);
    json.number(spent.cost).end_array();
  }
  return json.end_array().end_object().take();
}

Share share_from_json(JsonView counted) {
  Share share;
  for (const JsonItem& item : counted.find("slots").elements()) {
    const auto parts = parts_of(item.value);
    if (parts.size() != 9) continue;
    ShareSlot& slot = share.emplace_back();
    slot.slot = {parts[0].as_string().value_or(""), parts[1].as_string().value_or("")};
    slot.prompts = figure_of(parts[2]);
    slot.answers = figure_of(parts[3]);
    slot.tool_calls = figure_of(parts[4]);
    slot.tool_results = figure_of(parts[5]);
    slot.usage = usage_in(parts[6]);
    slot.unpriced = usage_in(parts[7]);
    slot.cost = cost_in(parts[8]);
  }
  return share;
}

SessionCost cost_from_json(JsonView counted, const PriceTable& own) {
  SessionCost cost;
  for (const JsonItem& item : counted.find("spent").elements()) {
    const auto parts = parts_of(item.value);
    if (parts.size() != 3) continue;
    cost.recorded += cost_in(parts[2]);
    const Usage unpriced = usage_in(parts[1]);
    if (unpriced == Usage()) continue;
    cost.add(parts[0].as_string().value_or(""), unpriced, own);
  }
  return cost;
}

CountedSession counted_from_json(JsonView listed, bool inner, JsonView counted) {
  const auto text = [&](std::string_view key) { return listed.find(key).as_string().value_or(""); };
  CountedSession session{.id = text("id"),
                         .layout = text("layout"),
                         .project = text("project"),
                         .created_at = text("created_at"),
                         .updated_at = text("updated_at"),
                         .title = text("title"),
                         .original = original_of(listed.find("metadata")),
                         .inner = inner,
                         .share = share_from_json(counted)};
  if (session.title.empty()) session.title = text("first_prompt");
  return session;
}

}  // namespace holdfast::inline v1
