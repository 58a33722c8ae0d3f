#include "api/session_tree.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kNone = SIZE_MAX;
constexpr std::size_t kMaxSteps = 64;  // from a session up to the root of its family

struct Family {
  const SessionRow* newest = nullptr;
  std::vector<TreeRow> rows = {};
};

// The families of one store; rows are numbered by their place in its order.
class Trees {
 public:
  explicit Trees(const SessionRows& rows) : rows_(rows) {
    std::unordered_map<std::string_view, std::size_t> parents;
    for (const std::size_t number : rows.order)
      if (rows.all[number].has_parent) parents.emplace(rows.all[number].parent_id, kNone);
    if (parents.empty()) return;
    for (std::size_t place = 0; place < rows.order.size(); ++place)
      if (const auto found = parents.find(at(place).head.row.id); found != parents.end()) found->second = place;
    parent_.assign(rows.order.size(), kNone);
    for (std::size_t place = 0; place < rows.order.size(); ++place) {
      if (!at(place).has_parent) continue;
      const std::size_t parent = parents.find(at(place).parent_id)->second;
      if (parent == kNone || parent == place) continue;
      parent_[place] = parent;
      children_[parent].push_back(place);
    }
    seen_.assign(rows.order.size(), false);
  }

  // The first families, with at least `most` rows in all if there are that many.
  std::vector<Family> first(std::size_t most) {
    std::vector<Family> families;
    for (std::size_t place = 0, told = 0; place < rows_.order.size() && told < most; ++place) {
      if (!seen_.empty() && seen_[place]) continue;
      families.push_back({&at(place)});
      if (parent_.empty())
        families.back().rows.push_back({&at(place), 0});
      else
        add(top_of(place), families.back().rows);
      told += families.back().rows.size();
    }
    return families;
  }

 private:
  const SessionRow& at(std::size_t place) const { return rows_.all[rows_.order[place]]; }

  std::size_t top_of(std::size_t place) const {
    for (std::size_t step = 0; step < kMaxSteps && parent_[place] != kNone; ++step) place = parent_[place];
    return place;
  }

  void add(std::size_t top, std::vector<TreeRow>& out) {
    std::vector<std::pair<std::size_t, std::size_t>> open{{top, 0}};
    while (!open.empty()) {
      const auto [place, depth] = open.back();
      open.pop_back();
      if (seen_[place]) continue;
      seen_[place] = true;
      out.push_back({&at(place), depth});
      const auto below = children_.find(place);
      if (below == children_.end()) continue;
      for (auto child = below->second.rbegin(); child != below->second.rend(); ++child)
        open.emplace_back(*child, depth + 1);
    }
  }

  const SessionRows& rows_;
  std::vector<std::size_t> parent_;  // empty if no row has a parent
  std::unordered_map<std::size_t, std::vector<std::size_t>> children_;
  std::vector<bool> seen_;
};

}  // namespace

std::vector<TreeRow> order_as_trees(const std::vector<SessionRows>& stores, std::size_t most,
                                    RowComparator comes_first) {
  std::vector<Family> all;
  for (const SessionRows& rows : stores) {
    std::vector<Family> its = Trees(rows).first(most), both(all.size() + its.size());
    std::merge(std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()),
               std::make_move_iterator(its.begin()), std::make_move_iterator(its.end()), both.begin(),
               [&](const Family& a, const Family& b) { return comes_first(a.newest, b.newest); });
    all = std::move(both);
  }
  std::vector<TreeRow> rows;
  for (const Family& family : all) {
    if (rows.size() >= most) break;
    rows.insert(rows.end(), family.rows.begin(), family.rows.end());
  }
  rows.resize(std::min(rows.size(), most));
  return rows;
}

}  // namespace holdfast::inline v1
