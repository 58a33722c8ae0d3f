// Whether a value that something calls a secret looks like one. Thread-safety: pure functions.
#pragma once

#include <string_view>

#include "text/secret_names.h"

namespace holdfast::inline v1 {

// Where it stands, and so how much its looks must say.
enum class Standing {
  somewhere,  // in code or in a sentence: only what nobody would write by hand
  variable,   // TOKEN=…, --token …
  literal,    // password=…, "password": "…": a value as it is, never an expression
  line,       // the rest of a line behind `password:`, which may be a type or a remark
};

// Placeholders, words of a language, variables, paths and code do not. An assignment inside of it is one of its own
// (a=b=c), unless `with_inner`.
bool looks_secret(std::string_view value, SecretName name, Standing standing, bool with_inner);

}  // namespace holdfast::inline v1
