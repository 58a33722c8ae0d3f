#include "store/off_branch.h"

#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace holdfast::inline v1 {

OffBranch off_branch(const std::vector<Message>& all, const std::vector<Message>& branch) {
  OffBranch off;
  if (all.size() <= branch.size()) return off;
  std::set<std::int64_t> kept;
  std::multimap<std::string_view, const Message*> by_id;
  for (const Message& message : branch) {
    kept.insert(message.ordinal);
    if (!message.id.empty()) by_id.emplace(message.id, &message);
  }
  for (const Message& message : all) {
    if (kept.contains(message.ordinal)) continue;
    const auto [from, to] = by_id.equal_range(message.id);
    bool copied = false;
    for (auto at = from; at != to && !copied; ++at)
      copied = at->second->role == message.role && at->second->blocks == message.blocks;
    if (!copied) off.add(message);
  }
  return off;
}

Result<OffBranch> off_branch(const Context& context, Store& store, const Transcript& branch) {
  const auto read = std::ssize(branch.messages);
  const bool gaps = read > 0 && branch.messages.back().ordinal != read - 1;
  if (branch.session.counted && !gaps && branch.session.counts.records <= read) return OffBranch();
  HOLDFAST_LET(all, store.read(context, branch.session.id, {.branch = "all"}));
  return off_branch(all.messages, branch.messages);
}

}  // namespace holdfast::inline v1
