#include "api/session_branches.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/sort_stably.h"

namespace holdfast::inline v1 {
namespace {

struct Listed {
  const SessionRow* row = nullptr;
  std::size_t store = 0, number = 0;
  bool elsewhere = false;
  bool stays = true;

  bool operator<(const Listed& other) const {
    const std::string_view mine = row->head.row.updated_at, its = other.row->head.row.updated_at;
    return mine != its ? mine > its : elsewhere < other.elsewhere;
  }
};

// Limits for a chain of hand-offs, which another machine may report, and for the branches of one session.
constexpr std::size_t kMaxSteps = 64, kMaxBranches = 32;

using ByName = std::map<SessionName, std::vector<Listed>>;

// The rows of all sessions that may have more than one row.
ByName rows_by_name(const std::vector<BranchedStore>& stores, const HandOffs& handed_off) {
  ByName found;
  const bool elsewhere = std::ranges::any_of(stores, &BranchedStore::elsewhere);
  if (!elsewhere && handed_off.empty()) return found;
  std::unordered_map<std::string_view, std::size_t> rows_of;
  for (const auto& [session, source] : handed_off) rows_of[session.id] = rows_of[source.id] = 2;
  for (const BranchedStore& store : stores) {
    if (!elsewhere) break;
    for (const std::size_t number : store.rows.order) ++rows_of[store.rows.all[number].head.row.id];
  }
  for (std::size_t n = 0; n < stores.size(); ++n) {
    const SessionRows& rows = stores[n].rows;
    for (const std::size_t number : rows.order) {
      const SessionRow& row = rows.all[number];
      if (const auto its = rows_of.find(row.head.row.id); its == rows_of.end() || its->second < 2) continue;
      found[{std::string(stores[n].layout), std::string(row.head.row.id)}].push_back(
          {&row, n, number, stores[n].elsewhere});
    }
  }
  return found;
}

// Orders the rows of one session and marks the one that stays, which is the first.
void choose(std::vector<Listed>& rows, const std::string* continued) {
  sort_stably(rows, [](const Listed& a, const Listed& b) { return a < b; });
  if (std::ranges::none_of(rows, &Listed::elsewhere)) return;  // in two stores of this machine
  if (continued != nullptr)
    std::erase_if(rows, [&](Listed& one) { return !one.elsewhere && one.row->head.row.updated_at == *continued; });
  for (Listed& one : rows) one.stays = &one == rows.data();
}

// The first session of the family, which was not handed off from another listed one.
SessionName origin_of(const SessionName& name, const HandOffs& handed_off, const ByName& listed) {
  SessionName at = name;
  for (std::size_t step = 0; step < kMaxSteps; ++step) {
    const auto source = handed_off.find(at);
    if (source == handed_off.end() || !listed.contains(source->second)) break;
    at = source->second;
  }
  return at;
}

}  // namespace

BranchesByRow gather_branches(std::vector<BranchedStore>& stores, const std::map<SessionName, std::string>& continued,
                              const HandOffs& handed_off) {
  BranchesByRow branches;
  ByName listed = rows_by_name(stores, handed_off);
  std::vector<std::set<std::size_t>> stay(stores.size()), known(stores.size());
  struct Family {
    std::vector<Listed> rows = {};
    std::size_t sessions = 0;
  };
  std::map<SessionName, Family> families;
  for (auto& [name, rows] : listed) {
    for (const Listed& one : rows) known[one.store].insert(one.number);
    const auto known_as = continued.find(name);
    choose(rows, known_as == continued.end() ? nullptr : &known_as->second);
    for (const Listed& one : rows)
      if (one.stays) stay[one.store].insert(one.number);
    Family& family = families[origin_of(name, handed_off, listed)];
    family.rows.insert(family.rows.end(), rows.begin(), rows.end());
    ++family.sessions;
  }
  for (std::size_t n = 0; n < stores.size(); ++n)
    if (known[n].size() > stay[n].size())
      std::erase_if(stores[n].rows.order,
                    [&](std::size_t number) { return known[n].contains(number) && !stay[n].contains(number); });
  for (auto& [name, family] : families) {
    const auto& [rows, sessions] = family;
    // The same session in two stores of one machine is not a branch.
    if (rows.size() < 2 || (sessions == 1 && std::ranges::none_of(rows, &Listed::elsewhere))) continue;
    sort_stably(family.rows, [](const Listed& a, const Listed& b) { return a < b; });
    std::vector<const SessionRow*> all;
    for (const Listed& one : rows)
      if (all.size() < kMaxBranches) all.push_back(one.row);
    const auto shared = std::make_shared<const std::vector<const SessionRow*>>(std::move(all));
    for (const Listed& one : rows)
      if (one.stays) branches[one.row] = shared;
  }
  return branches;
}

}  // namespace holdfast::inline v1
