#include "find/shares.h"

#include <bit>

#include "base/hash.h"
#include "base/version.h"
#include "model/usage_figures.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kMagic = "holdfast shares 7 " HOLDFAST_VERSION "\n";
constexpr std::size_t kChoices = 4;  // selections that are kept
constexpr std::uint32_t kNoSlot = UINT32_MAX;

bool is_new(IdSet& seen, std::uint64_t key) { return key == 0 || seen.add_hash(key).added; }

// The same for copies only. `id` is the hash of an id, 0 if there is none.
std::uint64_t key_of(std::uint64_t id, const RollupItem& item) {
  return id == 0 || (id & kUniqueId) != 0 ? id : id ^ (item.said * 0x9E3779B97F4A7C15U);
}

// One list of the numbers, for both directions.
template <typename Slot, typename Number>
void each_number(Slot& slot, const Number& number) {
  for (const auto figure : {&ShareSlot::prompts, &ShareSlot::answers, &ShareSlot::tool_calls, &ShareSlot::tool_results})
    number(slot.*figure);
  for (const auto usage : {&ShareSlot::usage, &ShareSlot::unpriced}) {
    for (const auto figure : kUsageFigures) number(slot.*usage.*figure);
  }
}

std::string packed(const std::vector<Share>& shares) {
  Packer out;
  out.number(shares.size());
  for (const Share& share : shares) {
    out.number(share.size());
    for (const ShareSlot& slot : share) {
      out.text(slot.slot.quarter);
      out.text(slot.slot.model);
      each_number(slot, [&](std::int64_t number) { out.signed_number(number); });
      out.fixed(std::bit_cast<std::uint64_t>(slot.cost));
    }
  }
  return out.take();
}

}  // namespace

void ShareCounter::add(const Rollup& rollup, bool by_person) {
  using Kind = RollupItem::Kind;
  const std::size_t number = shares_.size();
  shares_.emplace_back();
  std::vector<std::uint32_t> places(rollup.slots.size(), kNoSlot);
  const auto place_of = [&](const RollupItem& item) {
    std::uint32_t& place = places[item.slot];
    if (place == kNoSlot) {
      place = static_cast<std::uint32_t>(shares_[number].size());
      shares_[number].push_back({.slot = rollup.slots[item.slot]});
    }
    return place;
  };
  IdSet named;  // prompts of this session
  Known own;
  const auto count = [&](const RollupItem& item, std::int64_t ShareSlot::* figure) {
    ++(shares_[number][place_of(item)].*figure);
  };
  for (const RollupItem& item : rollup.items) {
    switch (item.kind) {
      case Kind::prompt:
        // A prompt that is stored in several records has one name and several moments.
        if (by_person && !item.side && is_new(prompts_, item.moment) && is_new(named, item.name))
          count(item, &ShareSlot::prompts);
        break;
      case Kind::call:
        if (is_new(calls_, key_of(item.name, item))) count(item, &ShareSlot::tool_calls);
        break;
      case Kind::result:
        if (is_new(results_, key_of(item.name, item))) count(item, &ShareSlot::tool_results);
        break;
      case Kind::response: {
        Response once;
        Response* response = &once;
        if (item.name != 0) {
          response = &response_of(item, own);
        }
        if (!response->placed) {
          response->placed = true;
          response->share = number;
          response->slot = place_of(item);
        }
        add_response(item, *response);
        break;
      }
    }
  }
}

std::optional<std::size_t> ShareCounter::Known::find(std::uint64_t key) const {
  const auto place = key == 0 ? std::nullopt : keys.number_of_hash(key);
  return place ? std::optional(numbers[*place]) : std::nullopt;
}

void ShareCounter::Known::add(std::uint64_t key, std::size_t number) {
  if (key != 0 && keys.add_hash(key).added) numbers.push_back(number);
}

ShareCounter::Response& ShareCounter::response_of(const RollupItem& item, Known& own) {
  const std::uint64_t name = key_of(item.name, item), moment = key_of(item.moment, item);
  auto found = own.find(item.moment);
  if (!found) found = known_.find(name);
  if (!found) found = known_.find(moment);
  const std::size_t number = found.value_or(responses_.size());
  if (!found) responses_.emplace_back();
  own.add(item.moment, number);
  known_.add(name, number);
  known_.add(moment, number);
  return responses_[number];
}

void ShareCounter::add_response(const RollupItem& item, Response& response) {
  ShareSlot& slot = shares_[response.share][response.slot];
  if (item.answer && !response.counted) {
    response.counted = true;
    ++slot.answers;
  }
  const bool unpriced = !item.priced && !response.priced;
  for (const auto figure : kUsageFigures) {
    const std::int64_t more = item.usage.*figure - response.usage.*figure;
    if (more <= 0) continue;
    response.usage.*figure = item.usage.*figure;
    slot.usage.*figure += more;
    if (unpriced) slot.unpriced.*figure += more;
  }
  if (!item.priced || response.priced) return;
  response.priced = true;
  slot.cost += item.cost;
}

ShareCache::ShareCache(FileSystem& file_system, const std::string& cache, const std::string& store)
    : file_(file_system, cache, "sessions-" + xxh3_hex(store) + ".shares", std::string(kMagic) + store + "\n"),
      frames_(file_.load()) {}

std::optional<std::vector<Share>> ShareCache::get(std::uint64_t stamp) const {
  for (const Frame& frame : frames_) {
    if (frame.key != stamp) continue;
    Unpacker in(frame.payload);
    std::vector<Share> shares;
    for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
      Share& share = shares.emplace_back();
      for (std::uint64_t slots = in.number(); slots > 0 && in.ok(); --slots) {
        ShareSlot& slot = share.emplace_back();
        slot.slot.quarter = in.text();
        slot.slot.model = in.text();
        each_number(slot, [&](std::int64_t& number) { number = in.signed_number(); });
        slot.cost = std::bit_cast<double>(in.fixed());
      }
    }
    if (in.done()) return shares;
  }
  return std::nullopt;
}

void ShareCache::put(std::uint64_t stamp, const std::vector<Share>& shares) {
  const std::string payload = packed(shares);
  const Frame fresh{stamp, payload};
  if (!file_.broken() && frames_.size() < kChoices) return file_.add({&fresh, 1});
  std::vector<Frame> kept;
  const std::size_t drop = frames_.size() < kChoices ? 0 : frames_.size() + 1 - kChoices;
  for (std::size_t i = drop; i < frames_.size(); ++i) kept.push_back(frames_[i]);
  kept.push_back(fresh);
  file_.rewrite(kept);
}

}  // namespace holdfast::inline v1
