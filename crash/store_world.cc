#include "store_world.h"

#include "layout/layout.h"
#include "text/json_value.h"

namespace holdfast::lab {

std::unique_ptr<SimFileSystem> disk_for(const StoreTraits& traits, std::uint64_t seed) {
  auto disk = std::make_unique<SimFileSystem>(seed);
  bool first = true;
  for (const RootName& root : find_layout(traits.layout)->roots()) {
    const std::string top = std::string(kStoreTop) + (std::exchange(first, false) ? "" : "-" + std::string(root.name));
    (void)disk->put_file(top + "/keep", "");
  }
  return disk;
}

StoreWorld::StoreWorld(std::string_view part, const StoreTraits& traits, std::uint64_t seed, bool keep,
                       std::size_t callers)
    : part_(part), traits_(traits), keep_(keep), callers_(callers), random_(seed), disk_(disk_for(traits, seed)) {
  reopen(0);
  reopen(1);
}

void StoreWorld::reopen(std::size_t which) {
  doors_[which].reset();
  std::erase_if(holders_, [&](const auto& each) { return each.second == which; });
  doors_[which] = std::make_unique<LibraryDoor>(*disk_, std::string(traits_.layout), kStoreTop, keep_);
}

Ledger StoreWorld::ledger() const {
  const std::scoped_lock guard(mutex_);
  return ledger_;
}

StoreWorld::Answer StoreWorld::change(std::string_view method, const std::string& params, const Note& note) {
  {
    const std::scoped_lock guard(mutex_);
    for (const auto& [shelf, thing] : note.things) ledger_.attempt(shelf, thing);
    for (const auto& [slot, value] : note.values) ledger_.attempt_value(slot, value);
    for (const auto& [slot, value] : note.transient_values) ledger_.attempt_value(slot, value);
  }
  Answer answer = doors_[caller_]->call(method, params);
  const std::scoped_lock guard(mutex_);
  Fate fate = Fate::power;
  if (dead_ && dead_())
    fate = Fate::attempted;
  else if (!answer)
    fate = fate_of(code_name(answer.error().code));
  else if (const auto word = JsonView(*answer).find("durability").as_string(); word && *word != "power")
    fate = *word == "process" ? Fate::process : Fate::attempted;
  else if (JsonView(*answer).find("persisted").as_bool() == false)
    fate = Fate::attempted;  // kept in memory only, and reported as such
  // Written separately; the answer may say that it was not.
  const bool forgetful = answer && answer->find("learnings will not persist") != std::string::npos;
  for (const auto& [shelf, thing] : note.things) {
    ledger_.settle(shelf, thing, forgetful && shelf == "learnings" ? Fate::attempted : fate);
    if (fate == Fate::power) ledger_.synced(shelf);
  }
  for (const auto& [slot, value] : note.transient_values)
    if (fate == Fate::refused) ledger_.settle_value(slot, value, fate);
  for (const auto& [slot, value] : note.values) ledger_.settle_value(slot, value, fate);
  return answer;
}

StoreWorld::Done StoreWorld::act() {
  caller_ = random_.below(callers_);
  // First create what everything else needs.
  if (traits_.layout == "maestro" && thread_.empty()) return {"make_thread", make_thread()};
  if (traits_.initiative && !initiative_) return {"make_initiative", make_initiative()};
  if (traits_.talks && !any_live()) return {"create", create()};
  if (traits_.modules && !any_live()) return {"start_module", start_module()};
  unsigned sum = 0;
  std::vector<const Deed*> possible;
  for (const Deed& deed : deeds()) {
    if (!(this->*deed.possible)() || withheld(part_, traits_.layout, deed.name)) continue;
    possible.push_back(&deed);
    sum += deed.weight;
  }
  std::uint64_t pick = random_.below(sum);
  for (const Deed* deed : possible) {
    if (pick < deed->weight) return {deed->name, (this->*deed->act)()};
    pick -= deed->weight;
  }
  return {"nothing", {}};
}

std::string StoreWorld::new_name(const char* letters, char size) {
  std::string name = letters + std::to_string(next_++);
  if (size != 0) name += size;
  return name;
}

std::string StoreWorld::new_session_id() { return lab_session_id(traits_, next_++); }

std::vector<std::string> StoreWorld::sessions(std::string_view where) const {
  constexpr std::string_view kPrefix = "session ";
  std::vector<std::string> ids;
  for (const auto& [name, slot] : ledger_.slots())
    if (name.starts_with(kPrefix) && slot.value == where && slot.possible.empty())
      ids.push_back(name.substr(kPrefix.size()));
  return ids;
}

std::string StoreWorld::some_session() {
  auto all = sessions("live");
  std::erase_if(all, [&](const std::string& id) { return ended_.contains(id); });
  if (all.empty()) all = sessions("live");
  return all.empty() ? std::string() : all[random_.below(all.size())];
}

std::string StoreWorld::some_session_of_caller() {
  const std::string id = some_session();
  if (const auto holder = holders_.find(id); holder != holders_.end()) caller_ = holder->second;
  return id;
}

bool StoreWorld::may_create() const { return traits_.talks && sessions("live").size() < 4; }

}  // namespace holdfast::lab
