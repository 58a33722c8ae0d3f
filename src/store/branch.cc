#include "store/branch.h"

#include <algorithm>

#include "store/branch_map.h"

namespace holdfast::inline v1 {
namespace {

// True if every message follows the one before it: then the whole session is one branch.
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

bool names_no_parents(const std::vector<Message>& messages) {
  return std::ranges::none_of(messages, [](const Message& message) { return !message.parent.empty(); });
}

}  // namespace

std::vector<bool> on_branch(const std::vector<Message>& messages, std::string_view leaf) {
  // The two most common shapes need no map.
  if (leaf.empty() && names_no_parents(messages)) {
    std::vector<bool> kept(messages.size());
    for (std::size_t at = 0; at < kept.size(); ++at) kept[at] = !messages[at].abandoned;
    return kept;
  }
  if (leaf.empty() && is_line(messages)) return std::vector<bool>(messages.size(), true);
  BranchMap map;
  for (const Message& message : messages) map.add(message);
  return map.on_branch(leaf, [&](std::size_t a, std::size_t b) {
    return messages[a].role == messages[b].role && messages[a].blocks == messages[b].blocks;
  });
}

Error no_such_branch(std::string_view branch, std::string_view session) {
  return {Code::not_found, "branch: session " + std::string(session) + " has no message " + std::string(branch)};
}

Result<void> check_branch(const std::vector<Message>& messages, std::string_view branch, std::string_view session) {
  if (branch.empty() || branch == "all" || std::ranges::find(messages, branch, &Message::id) != messages.end())
    return {};
  return fail(no_such_branch(branch, session));
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
    // A sub-agent's messages have a branch of their own.
    if (!messages[at].side) messages[at].abandoned = !kept[at];
  }
}

}  // namespace holdfast::inline v1
