// What must never be stored in a header (O17): API keys, OAuth, environments.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <vector>

#include "layout/secret_members.h"
#include "text/json_value.h"

namespace holdfast::inline v1::open_agent {

// The secrets in the object, as paths of keys, outermost first. A key is suspect by its
// name (apiKey, codexOAuth, env, anything with key, token, secret, password,
// credential, cookie, authorization). Numbers, booleans and empty values are never
// secrets (maxTokens).
std::vector<std::vector<std::string>> secrets_in(JsonView object);

// The object without its secrets; unchanged if there are none.
Result<std::string> without_secrets(std::string_view object);

}  // namespace holdfast::inline v1::open_agent
