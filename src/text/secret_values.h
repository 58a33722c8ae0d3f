// Whether a value with the name of a secret looks like one. Thread-safety: pure functions.
#pragma once

#include <string_view>

#include "text/secret_names.h"

namespace holdfast::inline v1 {

// Where the value occurs, which decides how strong the evidence must be.
enum class ValueContext {
  somewhere,  // in code or in a sentence: only what nobody would write by hand
  variable,   // TOKEN=…, --token …
  literal,    // password=…, "password": "…": a literal value, never an expression
  line,       // the rest of a line after `password:`, which may be a type or a remark
};

// Returns false for placeholders, words of a language, variables, paths and code. An assignment inside the value is
// handled separately (a=b=c), unless `with_inner`.
bool looks_secret(std::string_view value, SecretName name, ValueContext standing, bool with_inner);

// Parts of that, for a value in lower case: a text that people write in place of a secret; and for one as it is: a
// variable, a path or an address.
bool is_stand_in(std::string_view low);
bool is_expression(std::string_view value);

// Whether it is base64 of user:password, as in `_auth` of .npmrc and `auth` of ~/.docker/config.json.
bool is_encoded_login(std::string_view value);

}  // namespace holdfast::inline v1
