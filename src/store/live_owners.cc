#include "store/live_owners.h"

#include <algorithm>

#include "disk/real_process.h"
#include "layout/agent_home.h"

namespace holdfast::inline v1 {

LiveOwners::LiveOwners(const Layout& layout, const OpenedRoots& roots, Feed& feed) : roots_(roots) {
  const AgentHome* const home = layout.home();
  if (home == nullptr) return;
  of_session_ = home->live.of_session;
  if (home->live.of_store == nullptr) return;
  const auto signs = home->live.of_store(feed);
  if (!signs) return;  // if the signs cannot be read, no process is known
  for (const LiveSign& sign : *signs) {
    if (lives(sign)) sessions_.insert(sign.session);
  }
}

bool LiveOwners::lives(const LiveSign& sign) const {
  const auto root = roots_.directories().find(sign.file.root);
  if (root == roots_.directories().end() || root->second == nullptr) return false;
  if (sign.start != 0) return process_start(sign.pid) == sign.start;
  const auto stat = root->second->stat_to_read(sign.file.path);
  if (!stat) return false;
  if (sign.pid == 0) return is_locked(stat->inode, sign.file.path);
  // Process numbers are reused after a process has ended.
  constexpr std::int64_t kSlack = 2'000'000'000;
  const auto started = process_start_ns(sign.pid);
  return started && *started <= stat->mtime_ns + kSlack;
}

bool LiveOwners::any_lives(const std::vector<LiveSign>& signs) const {
  return std::ranges::any_of(signs, [&](const LiveSign& sign) { return lives(sign); });
}

}  // namespace holdfast::inline v1
