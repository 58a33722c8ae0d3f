// Handler of remote.remove, and of its dry run.
#pragma once

#include "api/call.h"

namespace holdfast::inline v1 {

Result<std::string> remove_remote(Call& call);
Result<std::string> would_remove_remote(Call& call);

}  // namespace holdfast::inline v1
