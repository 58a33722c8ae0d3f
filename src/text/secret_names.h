// Values that are secrets by what they are called: PASSWORD=..., "api_key": "...".
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
  password,  // the same, but people choose them: shorter and plainer
  key,       // MYKEY of a variable: a secret, or the name of something
};

// By its words, however they are joined (snake_case, camelCase, kebab-case): some
// word or pair of words says "secret", run together with another one as well
// (dbpassword, GITHUBTOKEN), and the last one does not say that it is only about one
// (TOKEN_URL, maxTokens, password_length). `environment`: of a variable, where everything
// that ends in KEY counts too; in capitals also what is run together (MYKEY, SSHPASS).
SecretName secret_name(std::string_view name, bool environment = false);

// For a value that stands behind a name with one of these in it.
struct NamedSecret {
  SecretSpan value = {};
  SecretName name = SecretName::no;
};
// `at`: of "password", "token", ... inside a name. The value behind `=` or `:`, when
// it looks like one: placeholders, words of a language, variables and paths do not.
// An assignment inside of it is one of its own (a=b=c), unless `with_inner`.
std::optional<NamedSecret> assigned_secret(std::string_view text, std::size_t at, std::size_t floor,
                                           bool with_inner = false);

}  // namespace holdfast::inline v1
