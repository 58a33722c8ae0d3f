// Values in quotes that are more than one word: judged as a whole, up to the same quote that opened them.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/secret_names.h"

namespace holdfast::inline v1 {

bool is_secret_quote(char c);

// Where the quotes close that open just before `value`: the offset of the closing quote, or of the backslashes that
// belong to it in JSON inside a text. Escaped quotes and others are part of the value. 0 if no quote precedes the
// value, or none closes it on its line.
std::size_t quotes_close(std::string_view text, std::size_t value);

// Whether everything in quotes is a secret, given its name. Sentences, labels and code are not. A `variable` (of an
// environment, or an option) needs less evidence.
bool is_quoted_secret(std::string_view value, SecretName name, bool variable, bool with_inner);

}  // namespace holdfast::inline v1
