// The search tables of a remote, for the operations of this machine.
#pragma once

#include <set>

#include "api/call.h"
#include "archive/capture.h"
#include "sync/projection.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// Fails with unsupported, and the reason, if the remote has no server that can search.
Result<void> check_searchable(const RemoteSettings& settings);

struct SearchRemoval {
  std::uint64_t removed = 0;  // sessions
  std::optional<Error> failed = {};

  // For people; empty if there was nothing to do.
  std::string note(const std::string& remote) const;
};
// Removes what this device no longer shares from the search tables at once, if it may change them, and the sessions
// that were `cut`, until they are indexed again without what was forgotten. Does not wait long for a server.
SearchRemoval withdraw_from_search(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                                   const std::set<CaptureKey>& cut = {});
// The same for everything of this device.
SearchRemoval erase_from_search(const Context& context, const SyncHome& home, const RemoteSettings& settings);

Operation index_remote_operation();
Result<std::string> would_index(Call& call);

}  // namespace holdfast::inline v1
