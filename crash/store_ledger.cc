#include "store_ledger.h"

#include <holdfast/error.h>

#include <algorithm>
#include <set>

namespace holdfast::lab {
namespace {

const std::string kNothing;

bool must_be_there(Fate fate, const Judgement& judgement) {
  return fate == Fate::power || (fate == Fate::process && !judgement.power_loss) ||
         (fate == Fate::committed && judgement.finished);
}

}  // namespace

Fate fate_of(std::string_view code) {
  if (code == code_name(Code::durability_unknown)) return Fate::unknown;
  return code == code_name(Code::unfinished) ? Fate::committed : Fate::refused;
}

void Ledger::attempt(const std::string& shelf, const std::string& thing) {
  shelves_[shelf].items[thing] = {next_++, Fate::attempted};
}

void Ledger::settle(const std::string& shelf, const std::string& thing, Fate fate) {
  shelves_[shelf].items[thing].fate = fate;
}

void Ledger::synced(const std::string& shelf) {
  for (auto& [thing, item] : shelves_[shelf].items)
    if (item.fate == Fate::process) item.fate = Fate::power;
}

void Ledger::attempt_value(const std::string& slot, const std::string& value) {
  slots_[slot].possible.push_back(value);
}

void Ledger::settle_value(const std::string& slot, const std::string& value, Fate fate) {
  LedgerSlot& at = slots_[slot];
  if (fate == Fate::power || fate == Fate::process) at = {value, {}, at.owner, {}};
  if (fate == Fate::committed) at.committed = value;
  if (fate == Fate::refused) std::erase(at.possible, value);
}

void Ledger::rename(const std::string& from, const std::string& to) {
  if (auto shelf = shelves_.extract(from)) {
    shelf.key() = to;
    shelves_.insert(std::move(shelf));
  }
  if (auto slot = slots_.extract(from)) {
    slot.key() = to;
    slots_.insert(std::move(slot));
  }
  for (auto& [name, shelf] : shelves_)
    if (shelf.owner == from) shelf.owner = to;
  for (auto& [name, slot] : slots_)
    if (slot.owner == from) slot.owner = to;
}

const std::string& Ledger::value(const std::string& slot) const {
  const auto at = slots_.find(slot);
  return at == slots_.end() ? kNothing : at->second.value;
}

bool Ledger::certain(const std::string& slot) const {
  const auto at = slots_.find(slot);
  return at == slots_.end() || at->second.possible.empty();
}

bool Ledger::compare(const Picture& picture, const Judgement& judgement, const std::string& what,
                     Outcome& outcome) const {
  bool ok = true;
  const auto broken = [&](std::uint64_t Outcome::* count, const std::string& how) {
    ok = false;
    outcome.fail(count, what + ": " + how);
  };
  const auto shown = [&](const std::string& slot) -> const std::string& {
    const auto at = picture.slots.find(slot);
    return at == picture.slots.end() ? kNothing : at->second;
  };
  // Something that is on its way to the trash or back, or half committed, may be partly visible: it is whole
  // once that is finished.
  const auto hidden = [&](const std::string& owner) {
    return !owner.empty() && (shown(owner) != "live" || (!judgement.finished && !certain(owner)));
  };
  for (const auto& [name, slot] : slots_) {
    if (hidden(slot.owner)) continue;
    if (!judgement.finished && !slot.possible.empty()) continue;  // half of a commit may be visible
    const std::string& now = shown(name);
    ++outcome.acknowledged;
    const std::string& value = judgement.finished && slot.committed ? *slot.committed : slot.value;
    if (now == value || std::ranges::find(slot.possible, now) != slot.possible.end()) continue;
    std::string may;
    for (const std::string& each : slot.possible) may += " or \"" + each + "\"";
    broken(now.empty() ? &Outcome::lost : &Outcome::wrong,
           name + " is \"" + now + "\", acknowledged was \"" + value + "\"" + may);
  }
  for (const auto& [name, value] : picture.slots)
    if (!value.empty() && !slots_.contains(name)) broken(&Outcome::wrong, "nobody made " + name + " \"" + value + "\"");
  for (const auto& [name, shelf] : shelves_) {
    if (hidden(shelf.owner)) continue;
    const auto at = picture.shelves.find(name);
    static const std::vector<std::string> empty;
    const std::vector<std::string>& there = at == picture.shelves.end() ? empty : at->second;
    const bool ordered = judgement.ordered && name.starts_with("messages of ");
    std::map<std::string, int> counted;
    std::uint64_t last = 0;
    for (const std::string& thing : there) {
      const auto known = shelf.items.find(thing);
      if (known == shelf.items.end()) {
        broken(&Outcome::wrong, "nobody put " + thing + " on " + name);
        continue;
      }
      if (++counted[thing] == 2) broken(&Outcome::wrong, thing + " is there more than once on " + name);
      if (known->second.fate == Fate::refused) broken(&Outcome::wrong, thing + " was refused and is there, on " + name);
      if (ordered && known->second.number < last)
        broken(&Outcome::wrong, thing + " stands behind a later one on " + name);
      last = std::max(last, known->second.number);
    }
    for (const auto& [thing, item] : shelf.items) {
      if (!must_be_there(item.fate, judgement)) continue;
      ++outcome.acknowledged;
      if (!counted.contains(thing)) broken(&Outcome::lost, thing + " was acknowledged and is not there, on " + name);
    }
  }
  for (const auto& [name, things] : picture.shelves)
    if (!things.empty() && !shelves_.contains(name))
      broken(&Outcome::wrong, "nobody made " + name + ", which holds " + things.front());
  outcome.acknowledged += entries_.size();
  for (const std::string& each : entries_.complaints(picture.entries)) broken(&Outcome::wrong, each);
  for (const std::string& each : picture.altered) broken(&Outcome::altered, each);
  for (const std::string& each : picture.damage) broken(&Outcome::wrong, "damage: " + each);
  return ok;
}

}  // namespace holdfast::lab
