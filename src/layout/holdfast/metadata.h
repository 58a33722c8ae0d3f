// The metadata of a native session as it may be stored and shown: secrets in options
// and environments are left out, with redaction or without.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>
#include <vector>

#include "layout/secret_members.h"

namespace holdfast::inline v1::native {

// The secrets in the metadata of a session.json, as paths of keys below the metadata.
std::vector<std::vector<std::string>> secrets_of(JsonView document);

// A metadata object without its secrets.
Result<std::string> safe_metadata(std::string_view metadata);

// A session.json without its secrets; all other bytes are unchanged.
Result<std::string> without_secrets_of(std::string_view document);

}  // namespace holdfast::inline v1::native
