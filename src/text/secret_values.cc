#include "text/secret_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/ascii.h"
#include "text/base64.h"

namespace holdfast::inline v1 {
namespace {

bool is_name(char c) { return is_ascii_alnum(c) || c == '_' || c == '-' || c == '.'; }

bool has(std::string_view text, bool (*kind)(char)) { return std::ranges::any_of(text, kind); }

double entropy(std::string_view text) {
  std::array<std::size_t, 256> seen{};
  for (const char c : text) ++seen[static_cast<unsigned char>(c)];
  double bits = 0;
  for (const std::size_t n : seen) {
    if (n == 0) continue;
    const double share = static_cast<double>(n) / static_cast<double>(text.size());
    bits -= share * std::log2(share);
  }
  return bits;
}

// Remarks about a password rather than the password itself.
constexpr std::array<std::string_view, 94> kRemarks = {
    "true",     "false",    "null",     "none",      "string",    "text",     "bytes",   "number",  "integer",
    "object",   "unknown",  "empty",    "unset",     "missing",   "invalid",  "valid",   "correct", "incorrect",
    "wrong",    "expired",  "hidden",   "masked",    "changed",   "updated",  "prompt",  "plain",   "plaintext",
    "hash",     "hashed",   "input",    "value",     "data",      "varchar",  "char",    "failed",  "success",
    "denied",   "accepted", "rejected", "reset",     "forgotten", "nothing",  "here",    "above",   "below",
    "same",     "self",     "this",     "user",      "username",  "field",    "query",   "params",  "args",
    "config",   "options",  "await",    "async",     "return",    "function", "const",   "process", "request",
    "response", "form",     "body",     "state",     "props",     "event",    "pass",    "stdin",   "stdout",
    "file",     "blank",    "encoded",  "encrypted", "decrypted", "stored",   "removed", "deleted", "protected",
    "needed",   "given",    "asked",    "match",     "matches",   "mismatch", "weak",    "strong",  "short",
    "long",     "again",    "only",     "auth"};

// user_input, newPassword
bool is_identifier(std::string_view value) {
  for (std::size_t i = 1; i < value.size(); ++i)
    if (value[i] == '_' || (is_ascii_upper(value[i]) && is_ascii_lower(value[i - 1]))) return true;
  return false;
}

// Whether a value looks like a password that a person chose: short, a number, or a word.
bool looks_chosen(std::string_view value, std::string_view low, bool line) {
  if (value.size() < 4 || value.front() == ':' || value.front() == '!' || value.back() == '-') return false;
  if (std::ranges::all_of(value, is_ascii_digit)) return true;
  if (is_stand_in(low)) return false;
  if (has(value, is_ascii_digit)) return !line || value.size() >= 6;
  if (!std::ranges::all_of(value, is_name)) return true;
  if (is_identifier(value) || (line && is_ascii_upper(value.front()))) return false;
  return std::ranges::find(kRemarks, low) == kRemarks.end();
}

}  // namespace

// Text that people write in place of a secret.
bool is_stand_in(std::string_view low) {
  for (const std::string_view part :
       {"redacted", "xxxx", "****", "....", "your", "example", "changeme", "change_me", "placeholder", "dummy"}) {
    if (low.find(part) != std::string_view::npos) return true;
  }
  for (const std::string_view word : {"password", "passwd", "secret", "token", "undefined", "string", "optional",
                                      "required", "boolean", "disabled", "enabled", "default"}) {
    if (low == word) return true;
  }
  // 12345678, abcdefgh, aaaaaaaa
  const auto step = low.size() > 1 ? low[1] - low[0] : 0;
  for (std::size_t i = 1; i < low.size(); ++i) {
    if (low[i] - low[i - 1] != step) return false;
  }
  return step == 0 || step == 1;
}

// self.token, process.env.API_KEY2, Config::secret, and what stands between two strings: "&password="+word+"&x="
bool is_expression(std::string_view value) {
  if (value.size() > 1 && value.front() == '+' && value.back() == '+') return true;
  if (value.find("::") != std::string_view::npos || value.find("://") != std::string_view::npos) return true;
  if (value.starts_with('/') || value.starts_with("./") || value.starts_with("~/") || value.starts_with('$') ||
      value.starts_with('%') || value.starts_with('@') || value.starts_with('&') || value.starts_with('*'))
    return true;
  const std::size_t dot = value.find('.');
  if (dot == std::string_view::npos || dot == 0 || is_ascii_digit(value[0])) return false;
  // Words joined by dots; a random text has digits between its letters.
  std::size_t changes = 0;
  for (std::size_t i = 1; i < value.size(); ++i)
    changes += is_ascii_digit(value[i]) != is_ascii_digit(value[i - 1]) ? 1U : 0U;
  return changes <= 2 && std::ranges::all_of(value, is_name);
}

bool looks_secret(std::string_view value, SecretName name, ValueContext standing, bool with_inner) {
  const std::string low = in_lower_case(value);
  if (value.empty() || is_expression(value)) return false;
  // `tokens=4096` is a separate assignment; padding occurs only at the end.
  const std::size_t equals = value.find('=');
  const bool inner =
      !with_inner && equals != std::string_view::npos && value.find_first_not_of('=', equals) != std::string_view::npos;
  if (name == SecretName::password && standing != ValueContext::somewhere && !inner &&
      looks_chosen(value, low, standing == ValueContext::line))
    return true;
  const bool variable = standing == ValueContext::variable && name != SecretName::key;
  const std::size_t least = name == SecretName::password || variable ? 6 : 8;
  if (value.size() < least || is_stand_in(low)) return false;
  if (variable) return has(value, is_ascii_letter) || value.size() >= 8;
  if (inner || !has(value, is_ascii_digit) || !has(value, is_ascii_letter)) return false;
  return entropy(value) >= (name == SecretName::password ? 2.5 : 3.0);
}

bool is_encoded_login(std::string_view value) {
  constexpr std::size_t kShortest = 8, kLongest = 4096;
  if (value.size() < kShortest || value.size() > kLongest) return false;
  const auto login = from_base64(value);
  if (!login || !std::ranges::all_of(*login, [](char c) { return c > ' ' && c < '\x7f'; })) return false;
  const std::size_t colon = login->find(':');
  return colon != std::string::npos && colon > 0 && colon + 1 < login->size();
}

}  // namespace holdfast::inline v1
