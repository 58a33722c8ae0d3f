// Which session an id means to a command that changes the archive: those that agents have and those in the archive
// count together, so that an id that `show` calls ambiguous is never taken for one of them.
#pragma once

#include <string>
#include <string_view>

#include "api/call.h"
#include "archive/archive.h"

namespace holdfast::inline v1 {

// Whether `id`, which may be LAYOUT/ID, names the session surely enough to change something.
bool is_named(const CaptureKey& key, std::string_view id);

// The only session that `id` names, as LAYOUT/ID; empty if there is none. A whole id takes precedence over ids that
// begin with it. Fails with not_found and the candidates if there are several.
Result<std::string> meant_session(const Call& call, const CaptureState& state, std::string_view id);

}  // namespace holdfast::inline v1
