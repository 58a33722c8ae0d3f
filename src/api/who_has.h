// Which other machines have a session that is asked for here.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "api/call.h"

namespace holdfast::inline v1 {

// The names of those whose synced sessions include one of that layout (empty: any) whose id begins so, as --machine
// takes them. Looks at what sync has read before, and asks no remote; what cannot be read there has nothing to say.
std::set<std::string> machines_with(const Call& call, std::string_view layout, std::string_view id);

}  // namespace holdfast::inline v1
