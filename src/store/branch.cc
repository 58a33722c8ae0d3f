#include "store/branch.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace holdfast::inline v1 {

namespace {

// Every message follows the one before it: the whole session is one branch.
bool is_line(const std::vector<Message>& messages) {
  const std::string* before = nullptr;
  for (const Message& message : messages) {
    if (message.id.empty()) continue;
    if (message.side || message.parent != (before == nullptr ? std::string_view() : std::string_view(*before)))
      return false;
    before = &message.id;
  }
  return true;
}

using ById = std::unordered_map<std::string_view, std::size_t>;

// The message of the main agent that was stored before this one.
ById::const_iterator before(const std::vector<Message>& messages, std::size_t at, const ById& by_id) {
  while (at > 0) {
    const Message& message = messages[--at];
    if (message.id.empty() || message.side || message.abandoned) continue;
    const auto found = by_id.find(message.id);
    if (found->second == at) return found;
  }
  return by_id.end();
}

// Without parents: what was left by a rewind is on no branch but its own, which
// is what was there before it and the run of left messages that it is part of.
std::vector<bool> on_line(const std::vector<Message>& messages, std::string_view leaf) {
  std::vector<bool> kept(messages.size(), false);
  const auto found = leaf.empty() ? messages.end() : std::ranges::find(messages, leaf, &Message::id);
  const auto end = static_cast<std::size_t>(found - messages.begin()) + (found == messages.end() ? 0 : 1);
  for (std::size_t at = 0; at < end; ++at) kept[at] = !messages[at].abandoned;
  for (std::size_t at = end; found != messages.end() && at > 0 && messages[at - 1].abandoned; --at) kept[at - 1] = true;
  return kept;
}

std::vector<bool> on_tree(const std::vector<Message>& messages, std::string_view leaf) {
  ById by_id;
  for (std::size_t at = 0; at < messages.size(); ++at) {
    if (!messages[at].id.empty()) by_id.insert_or_assign(messages[at].id, at);
  }
  std::string_view at_id = leaf;
  if (at_id.empty()) {
    const auto last = std::find_if(messages.rbegin(), messages.rend(),
                                   [](const Message& message) { return !message.id.empty() && !message.side; });
    if (last == messages.rend()) return std::vector<bool>(messages.size(), true);
    at_id = last->id;
  }
  std::vector<bool> kept(messages.size(), false);
  std::unordered_set<std::string_view> calls;
  // Every step marks a message that was not marked, so a cycle ends the walk.
  for (ById::const_iterator found = by_id.find(at_id); found != by_id.end() && !kept[found->second];) {
    const Message& message = messages[found->second];
    kept[found->second] = true;
    for (const Block& block : message.blocks) {
      if (block.kind == BlockKind::tool_call) calls.insert(block.id);
    }
    const std::size_t at = found->second;
    found = by_id.find(message.parent);
    if (found == by_id.end() && !message.parent.empty()) found = before(messages, at, by_id);
  }
  for (std::size_t at = 0; at < messages.size(); ++at) {
    const Message& message = messages[at];
    const bool answers = std::ranges::any_of(message.blocks, [&](const Block& block) {
      return block.kind == BlockKind::tool_result && calls.contains(block.id);
    });
    // Two messages of one id (a writer that tried twice) are shown both, unless they say the same.
    const std::size_t other = message.id.empty() ? at : by_id.find(message.id)->second;
    const bool twin = other != at && kept[other];
    if (twin && messages[other].role == message.role && messages[other].blocks == message.blocks) continue;
    kept[at] = kept[at] || answers || twin || message.id.empty();
  }
  return kept;
}

}  // namespace

std::vector<bool> on_branch(const std::vector<Message>& messages, std::string_view leaf) {
  if (std::ranges::none_of(messages, [](const Message& message) { return !message.parent.empty(); }))
    return on_line(messages, leaf);
  if (leaf.empty() && is_line(messages)) return std::vector<bool>(messages.size(), true);
  return on_tree(messages, leaf);
}

std::vector<Message> branch_of(std::vector<Message> messages, std::string_view leaf) {
  const std::vector<bool> kept = on_branch(messages, leaf);
  if (std::ranges::find(kept, false) == kept.end()) return messages;
  std::vector<Message> branch;
  for (std::size_t at = 0; at < messages.size(); ++at) {
    if (kept[at]) branch.push_back(std::move(messages[at]));
  }
  return branch;
}

void mark_abandoned(std::vector<Message>& messages, std::string_view leaf) {
  const std::vector<bool> kept = on_branch(messages, leaf);
  for (std::size_t at = 0; at < messages.size(); ++at) {
    // A sub-agent's have a branch of their own.
    if (!messages[at].side) messages[at].abandoned = !kept[at];
  }
}

}  // namespace holdfast::inline v1
