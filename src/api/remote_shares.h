// Handlers of remote.share and remote.unshare, and of their dry runs.
#pragma once

#include "api/call.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// Fails with conflict if revoked devices may know the key that is written with.
Result<void> check_key(const RemoteSettings& settings);

Result<std::string> share_with_remote(Call& call);
Result<std::string> unshare_with_remote(Call& call);
Result<std::string> would_share_with_remote(Call& call);
Result<std::string> would_unshare_with_remote(Call& call);

}  // namespace holdfast::inline v1
