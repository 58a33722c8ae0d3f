#include "store/branch_map.h"

#include <algorithm>

#include "base/hash.h"

namespace holdfast::inline v1 {

namespace {

constexpr std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

// The slot where the id is, or would be.
std::size_t BranchMap::slot_of(std::string_view id, std::uint64_t hash) const {
  const auto is_other = [&](const Slot& slot) {
    return slot.tag != tag_of(hash) || named_[slot.name].hash != hash || text(slot.name) != id;
  };
  std::size_t at = hash & (slots_.size() - 1);
  while (slots_[at].name != 0 && is_other(slots_[at])) at = (at + 1) & (slots_.size() - 1);
  return at;
}

// Makes room for that many names, with half of the slots free.
void BranchMap::grow(std::size_t names) {
  std::size_t size = slots_.size();
  while (names * 2 > size) size *= 2;
  if (size == slots_.size()) return;
  slots_.assign(size, {});
  for (Name name = 1; name < named_.size(); ++name) {
    std::size_t at = named_[name].hash & (size - 1);
    while (slots_[at].name != 0) at = (at + 1) & (size - 1);
    slots_[at] = {tag_of(named_[name].hash), name};
  }
}

BranchMap::Name BranchMap::name(std::string_view id, std::uint64_t hash) {
  const std::size_t slot = slot_of(id, hash);
  if (slots_[slot].name != 0) return slots_[slot].name;
  const auto number = static_cast<Name>(named_.size());
  named_.push_back({.hash = hash, .begin = texts_.size(), .size = id.size()});
  texts_ += id;
  slots_[slot] = {tag_of(hash), number};
  if (named_.size() * 2 > slots_.size()) grow(named_.size() * 2);
  return number;
}

BranchMap::Name BranchMap::name(std::string_view id) {
  if (id.empty()) return 0;
  // The parent of most messages is the one before them.
  if (!nodes_.empty() && text(nodes_.back().id) == id) return nodes_.back().id;
  return name(id, xxh3_64(id));
}

BranchMap::Name BranchMap::known(std::string_view id) const {
  return id.empty() ? 0 : slots_[slot_of(id, xxh3_64(id))].name;
}

void BranchMap::link(Node node) {
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  names_parents_ = names_parents_ || node.parent != 0;
  if (node.id != 0) {
    Named& own = named_[node.id];
    own.last = number;
    if (own.first == kNobody) own.first = number;
    if (!node.side) {
      own.linked = true;
      named_[node.parent].linked = true;
      named_[node.parent].follower = number;
    }
  }
  nodes_.push_back(node);
}

void BranchMap::add(const Message& message) {
  Node node{.side = message.side, .abandoned = message.abandoned};
  node.parent = name(message.parent);
  node.id = name(message.id);
  node.response = name(message.response);
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  for (const Block& block : message.blocks) {
    const bool call = block.kind == BlockKind::tool_call;
    if (call || block.kind == BlockKind::tool_result) tools_.push_back({number, name(block.id), call});
  }
  link(node);
}

void BranchMap::add(const BranchMap& later) {
  grow(named_.size() + later.named_.size());
  named_.reserve(named_.size() + later.named_.size());
  nodes_.reserve(nodes_.size() + later.nodes_.size());
  tools_.reserve(tools_.size() + later.tools_.size());
  texts_.reserve(texts_.size() + later.texts_.size());
  std::vector<Name> ours(later.named_.size(), 0);
  constexpr std::size_t kAhead = 12;  // prefetch distance: slots are scattered in memory
  for (Name i = 1; i < ours.size(); ++i) {
    if (i + kAhead < ours.size()) __builtin_prefetch(&slots_[later.named_[i + kAhead].hash & (slots_.size() - 1)]);
    ours[i] = name(later.text(i), later.named_[i].hash);
  }
  const auto base = static_cast<std::uint32_t>(nodes_.size());
  for (const Tool& tool : later.tools_) tools_.push_back({base + tool.node, ours[tool.id], tool.call});
  for (const Node& node : later.nodes_)
    link({ours[node.id], ours[node.parent], ours[node.response], node.side, node.abandoned});
}

bool BranchMap::is(std::size_t number, const Message& message) const {
  const Node& node = nodes_[number];
  return text(node.id) == message.id && text(node.parent) == message.parent && node.side == message.side &&
         node.abandoned == message.abandoned;
}

std::string_view BranchMap::last_after(std::string_view id) const {
  Name at = known(id);
  if (at == 0 || !named_[at].linked) return {};
  const auto all = std::count_if(named_.begin() + 1, named_.end(), [](const Named& one) { return one.linked; });
  for (std::ptrdiff_t steps = 0; named_[at].follower != kNobody && steps < all; ++steps)
    at = nodes_[named_[at].follower].id;
  return text(at);
}

// True if every message follows the one before it: then the whole session is one branch.
bool BranchMap::is_line() const {
  Name last = 0;
  for (const Node& node : nodes_) {
    if (node.id == 0) continue;
    if (node.side || node.parent != last) return false;
    last = node.id;
  }
  return true;
}

// The previous message of the main agent in stored order.
std::uint32_t BranchMap::before(std::uint32_t at) const {
  while (at > 0) {
    const Node& node = nodes_[--at];
    if (node.id != 0 && !node.side && !node.abandoned && named_[node.id].last == at) return at;
  }
  return kNobody;
}

// For sessions without parents. A message abandoned by a rewind is only on its own
// branch: the messages before it and the run of abandoned messages that it belongs to.
std::vector<bool> BranchMap::on_line(std::string_view leaf) const {
  const std::uint32_t found = named_[known(leaf)].first;
  const std::size_t end = found == kNobody ? nodes_.size() : found + std::size_t{1};
  std::vector<bool> kept(nodes_.size(), false);
  for (std::size_t at = 0; at < end; ++at) kept[at] = !nodes_[at].abandoned;
  for (std::size_t at = end; found != kNobody && at > 0 && nodes_[at - 1].abandoned; --at) kept[at - 1] = true;
  return kept;
}

std::vector<bool> BranchMap::way_from(std::uint32_t at) const {
  std::vector<bool> kept(nodes_.size(), false);
  // Every step marks a new message, so a cycle ends the walk.
  while (at != kNobody && !kept[at]) {
    kept[at] = true;
    const Name parent = nodes_[at].parent;
    if (parent == 0) break;
    at = named_[parent].last != kNobody ? named_[parent].last : before(at);
  }
  return kept;
}

// An API response is one message for each of its blocks. If the first of several calls
// finishes last, the path from its result bypasses the calls after it.
void BranchMap::add_responses(std::vector<bool>& kept) const {
  std::vector<bool> begun(named_.size(), false);
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    if (kept[at]) begun[nodes_[at].response] = true;
  }
  std::vector<std::uint32_t> rest;
  for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
    if (!kept[at] && nodes_[at].response != 0 && begun[nodes_[at].response]) rest.push_back(at);
  }
  const auto follows = [&](std::uint32_t at) {
    const Node& node = nodes_[at];
    const std::uint32_t parent = node.parent == 0 ? kNobody : named_[node.parent].last;
    return parent != kNobody && kept[parent] && nodes_[parent].response == node.response;
  };
  // Passes in stored order, which puts most parents first; repeats until a pass finds nothing.
  for (bool found = true; found;) {
    found = false;
    std::erase_if(rest, [&](std::uint32_t at) {
      if (!follows(at)) return false;
      kept[at] = true;
      found = true;
      return true;
    });
  }
}

// For a message without an id: it has no replies, and is on the branch of its parent. If its parent does not
// exist, it is not part of the tree and always shown.
bool BranchMap::hangs_on(const std::vector<bool>& kept, Name parent) const {
  return parent == 0 || named_[parent].last == kNobody || kept[named_[parent].last];
}

std::vector<bool> BranchMap::on_tree(std::string_view leaf, const Same& same) const {
  std::uint32_t end = named_[known(leaf)].last;
  if (leaf.empty()) {
    const auto last =
        std::find_if(nodes_.rbegin(), nodes_.rend(), [](const Node& node) { return node.id != 0 && !node.side; });
    if (last == nodes_.rend()) return std::vector<bool>(nodes_.size(), true);
    end = named_[last->id].last;
  }
  std::vector<bool> way = way_from(end);
  add_responses(way);
  std::vector<bool> called(named_.size(), false);
  for (const Tool& tool : tools_) {
    if (tool.call && way[tool.node]) called[tool.id] = true;
  }
  std::vector<bool> answers(nodes_.size(), false);
  for (const Tool& tool : tools_) {
    if (!tool.call && called[tool.id]) answers[tool.node] = true;
  }
  std::vector<bool> kept = way;
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    // Two messages with one id (a writer that tried twice) are both shown, unless their contents are the same.
    const std::size_t other = nodes_[at].id == 0 ? at : named_[nodes_[at].id].last;
    const bool twin = other != at && kept[other];
    if (twin && same(other, at)) continue;
    kept[at] = kept[at] || answers[at] || twin || (nodes_[at].id == 0 && hangs_on(kept, nodes_[at].parent));
  }
  return kept;
}

std::vector<bool> BranchMap::on_branch(std::string_view leaf, const Same& same) const {
  if (!names_parents_) return on_line(leaf);
  if (leaf.empty() && is_line()) return std::vector<bool>(nodes_.size(), true);
  return on_tree(leaf, same);
}

BranchMap::ToolUses BranchMap::tool_uses(const std::vector<bool>& kept) const {
  ToolUses uses(named_.size());
  for (const Tool& tool : tools_) {
    if (kept[tool.node]) ++(tool.call ? uses[tool.id].calls : uses[tool.id].results);
  }
  return uses;
}

BranchMap::ToolUse BranchMap::tool_use(const ToolUses& uses, std::string_view id) const {
  const Name name = known(id);
  return name != 0 || id.empty() ? uses[name] : ToolUse();
}

std::vector<std::size_t> BranchMap::with_results_for(std::size_t from, std::size_t to) const {
  std::vector<std::size_t> all;
  for (std::size_t at = from; at < std::min(to, nodes_.size()); ++at) all.push_back(at);
  std::vector<bool> called(named_.size(), false);
  for (const Tool& tool : tools_) {
    if (tool.call && tool.node >= from && tool.node < to) called[tool.id] = true;
  }
  for (const Tool& tool : tools_) {
    if (!tool.call && called[tool.id]) all.push_back(tool.node);
  }
  return all;
}

}  // namespace holdfast::inline v1
