// The shapes of secrets that are known by their looks: one row a kind, written
// from what their issuers publish. A row with anchors costs nothing where none
// of its anchors stands. Thread-safety: constant data.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "text/secrets.h"

namespace holdfast::inline v1 {

// What goes before the anchor and belongs to the match.
enum class Lead { nothing, digits, scheme };

// How a match must end.
enum class SecretEnd {
  exact,   // no letter, digit, '_' or '-' may follow: a longer word is something else
  greedy,  // all of those that follow belong to it
  any,     // the pattern says it
};

struct SecretRule {
  std::string_view what;  // for the placeholder: "GitHub token"
  SecretTier tier = SecretTier::sure;
  // One of them stands in every match, after the lead. Four bytes or more are best; of
  // three any may follow that a secret can have, of two only hex digits.
  std::vector<std::string_view> anchors = {};
  // RE2; only its group, when it has one, is the secret.
  std::string_view pattern = {};
  SecretEnd end = SecretEnd::greedy;
  Lead lead = Lead::nothing;
  bool any_case = false;
  bool any_before = false;  // else no letter or digit may stand before it
  std::size_t reach = 512;  // bytes that the pattern may look at
};

std::span<const SecretRule> secret_rules();

struct SecretSpan {
  std::size_t at = 0;
  std::size_t end = 0;
};

// Whether rule number `rule` matches with its anchor at `at`; nothing before `floor` is looked at.
std::optional<SecretSpan> match_secret(std::size_t rule, std::string_view text, std::size_t at, std::size_t floor);

}  // namespace holdfast::inline v1
