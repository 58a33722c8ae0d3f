// The tables for search of a remote, as the operations of this machine use them.
#pragma once

#include "api/call.h"
#include "sync/projection.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// unsupported, with the reason, for a remote that no server can search.
Result<void> check_searchable(const RemoteSettings& settings);

struct SearchRemoval {
  std::uint64_t removed = 0;  // sessions
  std::optional<Error> failed = {};

  // For people; empty: there was nothing to do.
  std::string note(const std::string& remote) const;
};
// What this device no longer shares goes from the tables for search at once, where it may change them. Does not wait
// long for a server.
SearchRemoval withdraw_from_search(const Context& context, const SyncHome& home, const RemoteSettings& settings);
// The same with everything of this device.
SearchRemoval erase_from_search(const Context& context, const SyncHome& home, const RemoteSettings& settings);

Operation index_remote_operation();
Result<std::string> would_index(Call& call);

}  // namespace holdfast::inline v1
