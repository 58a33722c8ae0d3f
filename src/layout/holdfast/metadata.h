// Metadata of a native session as it may be stored and shown: what an option or
// an environment gives away of a secret stays out, with redaction or without.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>
#include <vector>

#include "layout/secret_members.h"

namespace holdfast::inline v1::native {

// Where secrets lie in the metadata of a session.json, as paths below it.
std::vector<std::vector<std::string>> secrets_of(JsonView document);

// A metadata object without them.
Result<std::string> safe_metadata(std::string_view metadata);

// A session.json without them; all its other bytes stay.
Result<std::string> without_secrets_of(std::string_view document);

}  // namespace holdfast::inline v1::native
