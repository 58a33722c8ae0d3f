// The handler of session.search.
#pragma once

#include "api/call.h"

namespace holdfast::inline v1 {

// As a stream it tells each hit as it is found; the search ends when nobody reads on.
Result<std::string> search_sessions(Call& call);

}  // namespace holdfast::inline v1
