// Handlers of remote.share and remote.unshare, and of their dry runs.
#pragma once

#include "api/call.h"

namespace holdfast::inline v1 {

Result<std::string> share_with_remote(Call& call);
Result<std::string> unshare_with_remote(Call& call);
Result<std::string> would_share_with_remote(Call& call);
Result<std::string> would_unshare_with_remote(Call& call);

}  // namespace holdfast::inline v1
