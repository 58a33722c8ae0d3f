// Values that are secrets because of their names: PASSWORD=..., "api_key": "...".
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "text/secret_rules.h"

namespace holdfast::inline v1 {

enum class SecretName {
  no,
  secret,    // API_KEY, authToken, client_secret
  password,  // the same, but chosen by people: shorter and plainer
  key,       // MYKEY as a variable: a secret, or the name of something
};

// Classifies a name by its words, however they are joined (snake_case, camelCase, kebab-case): some
// word or pair of words means "secret", possibly run together with another word (dbpassword,
// GITHUBTOKEN), and the last word does not turn it into a property of one (TOKEN_URL, maxTokens,
// password_length). `environment`: a variable, where every name that ends in KEY counts too; in
// capitals also if run together (MYKEY, SSHPASS).
SecretName secret_name(std::string_view name, bool environment = false);

// Whether its value may be a login in base64, which nothing but the value shows.
bool names_login(std::string_view name);

// The value of a name that contains one of these words.
struct NamedSecret {
  SecretSpan value = {};
  SecretName name = SecretName::no;
};
// `at` is the offset of "password", "token", ... inside a name. Returns the value after `=` or `:`
// if it looks like a secret; placeholders, words of a language, variables and paths do not. An
// assignment inside the value is handled separately (a=b=c), unless `with_inner`.
std::optional<NamedSecret> assigned_secret(std::string_view text, std::size_t at, std::size_t floor,
                                           bool with_inner = false);

}  // namespace holdfast::inline v1
