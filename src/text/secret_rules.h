// Secrets that are recognizable by their shape: one row per kind, based on what the
// issuers publish. A row with anchors costs nothing where none of its anchors occurs.
// Thread-safety: constant data.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "text/secrets.h"

namespace holdfast::inline v1 {

// What precedes the anchor and belongs to the match.
enum class Lead { nothing, digits, scheme, armor };

// How a match must end.
enum class SecretEnd {
  exact,   // no letter, digit, '_' or '-' may follow: a longer word is something else
  greedy,  // all such characters that follow belong to the match
  any,     // the pattern decides
};

struct SecretRule {
  std::string_view what;  // for the placeholder: "GitHub token"
  SecretTier tier = SecretTier::sure;
  // One of them occurs in every match, after the lead. Prefer four bytes or more; three
  // may be followed by any byte that a secret can have, two only by a hex digit.
  std::vector<std::string_view> anchors = {};
  // RE2; if it has groups, only the group that takes part is the secret (of at most four). {argument} is an argument
  // of a command, in quotes or not.
  std::string_view pattern = {};
  SecretEnd end = SecretEnd::greedy;
  Lead lead = Lead::nothing;
  bool any_case = false;
  bool any_before = false;  // if false, no letter or digit may precede the match
  std::size_t reach = 512;  // how many bytes the pattern may examine
};

std::span<const SecretRule> secret_rules();

struct SecretSpan {
  std::size_t at = 0;
  std::size_t end = 0;
};

// Matches rule number `rule` with its anchor at `at`; examines nothing before `floor`.
std::optional<SecretSpan> match_secret(std::size_t rule, std::string_view text, std::size_t at, std::size_t floor);

}  // namespace holdfast::inline v1
