#include "text/secret_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "text/secrets.h"

namespace holdfast::inline v1 {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_upper(c) || is_lower(c) || is_digit(c) || c == '_' || c == '-' || c == '.'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c + 32) : c; }

// "authToken2" is auth, token; digits end a word and are none.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = is_upper(c) || is_lower(c);
    const bool hump =
        is_upper(c) && i > 0 &&
        (is_lower(name[i - 1]) || (is_upper(name[i - 1]) && i + 1 < name.size() && is_lower(name[i + 1])));
    if ((!letter || hump) && !words.back().empty()) words.emplace_back();
    if (letter) words.back() += lower(c);
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

template <std::size_t N>
bool among(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

constexpr std::array<std::string_view, 4> kPasswords = {"password", "passwd", "passphrase", "passcode"};
constexpr std::array<std::string_view, 13> kSecrets = {
    "secret",        "secrets", "token",  "apikey",    "credential", "credentials", "cookie",
    "authorization", "oauth",   "bearer", "accesskey", "privatekey", "jwt"};
constexpr std::array<std::string_view, 10> kBeforeKey = {"api",  "access",  "private", "secret",     "account",
                                                         "auth", "signing", "master",  "encryption", "client"};
// What is only about a secret.
constexpr std::array<std::string_view, 40> kAbout = {
    "url",     "uri",    "file",      "path",  "dir",      "name",   "id",     "type",    "ttl",      "expiry",
    "expires", "length", "count",     "limit", "endpoint", "host",   "port",   "enabled", "required", "header",
    "policy",  "hint",   "algorithm", "at",    "in",       "budget", "usage",  "cost",    "field",    "label",
    "kind",    "status", "format",    "size",  "index",    "scope",  "helper", "counts",  "manager",  "provider"};

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

bool has(std::string_view text, bool (*kind)(char)) { return std::ranges::any_of(text, kind); }
bool is_letter(char c) { return is_upper(c) || is_lower(c); }

// What people write in place of a secret.
bool is_stand_in(std::string_view value) {
  std::string low;
  for (const char c : value) low += lower(c);
  for (const std::string_view part :
       {"redacted", "xxxx", "****", "....", "your", "example", "changeme", "change_me", "placeholder", "dummy"}) {
    if (low.find(part) != std::string::npos) return true;
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

// self.token, process.env.API_KEY2, Config::secret
bool is_expression(std::string_view value) {
  if (value.find("::") != std::string_view::npos || value.find("://") != std::string_view::npos) return true;
  if (value.starts_with('/') || value.starts_with("./") || value.starts_with("~/") || value.starts_with('$') ||
      value.starts_with('%') || value.starts_with('@') || value.starts_with('&') || value.starts_with('*'))
    return true;
  const std::size_t dot = value.find('.');
  if (dot == std::string_view::npos || dot == 0 || is_digit(value[0])) return false;
  // Words joined by dots; a random text has digits between its letters.
  std::size_t changes = 0;
  for (std::size_t i = 1; i < value.size(); ++i) changes += is_digit(value[i]) != is_digit(value[i - 1]) ? 1U : 0U;
  return changes <= 2 && std::ranges::all_of(value, is_name);
}

bool looks_secret(std::string_view value, SecretName name, bool variable, bool with_inner) {
  const std::size_t least = name == SecretName::password || variable ? 6 : 8;
  if (value.size() < least || is_stand_in(value) || is_expression(value)) return false;
  if (variable) return has(value, is_letter) || value.size() >= 8;
  if (!has(value, is_digit) || !has(value, is_letter)) return false;
  // `tokens=4096` is an assignment of its own; padding stands at the end.
  const std::size_t equals = value.find('=');
  if (!with_inner && equals != std::string_view::npos && value.find_first_not_of('=', equals) != std::string_view::npos)
    return false;
  return entropy(value) >= (name == SecretName::password ? 2.5 : 3.0);
}

bool ends_value(char c) {
  return static_cast<unsigned char>(c) <= 0x20 ||
         std::string_view("\"'`\\,;(){}[]<>|").find(c) != std::string_view::npos;
}

}  // namespace

SecretName secret_name(std::string_view name, bool environment) {
  const std::vector<std::string> words = words_of(name);
  if (words.empty()) return SecretName::no;
  if (among(kAbout, words.back())) return SecretName::no;
  SecretName found = SecretName::no;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool last = i + 1 == words.size();
    if (among(kPasswords, word)) return SecretName::password;
    if (last && i > 0 && (word == "pass" || word == "pwd")) return SecretName::password;
    if (among(kSecrets, word)) found = SecretName::secret;
    if (word == "key" && i > 0 && among(kBeforeKey, words[i - 1])) found = SecretName::secret;
    if (last && word == "key" && environment) found = SecretName::secret;
    if (last && word == "auth" && environment) found = SecretName::secret;
  }
  return found;
}

std::optional<NamedSecret> assigned_secret(std::string_view text, std::size_t at, std::size_t floor, bool with_inner) {
  constexpr std::size_t kLongest = 80;
  std::size_t begin = at;
  while (begin > floor && at - begin < kLongest && is_name(text[begin - 1])) --begin;
  // The n of "\nTOKEN=..." in a JSON text inside a text.
  if (begin > 0 && text[begin - 1] == '\\' && begin < at) ++begin;
  std::size_t end = at;
  while (end < text.size() && end - at < kLongest && is_name(text[end])) ++end;
  std::size_t value = end;
  const auto skip = [&](std::string_view what, std::size_t most) {
    for (std::size_t n = 0; n < most && value < text.size() && what.find(text[value]) != std::string_view::npos; ++n)
      ++value;
  };
  skip("\\\"'`]", 3);
  skip(" \t", 3);
  const bool flag = text.substr(begin, 2) == "--";
  if (value >= text.size()) return std::nullopt;
  if (text[value] == ':' || text[value] == '=') {
    ++value;
    if (value < text.size() && (text[value] == '=' || text[value] == '>')) ++value;
  } else if (!flag || value == end) {
    return std::nullopt;
  }
  skip(" \t", 3);
  skip("\\\"'`", 3);
  const SecretName name = secret_name(text.substr(begin, end - begin));
  if (name == SecretName::no) return std::nullopt;
  // A long value is judged by its beginning, so that a text full of names takes no more than its length.
  constexpr std::size_t kJudged = 512;
  std::size_t stop = value;
  const auto go_on = [&](std::size_t most) {
    while (stop < text.size() && stop - value < most && !ends_value(text[stop])) ++stop;
  };
  // The dot of a sentence is not part of it.
  const auto trim = [&] {
    while (stop > value && (text[stop - 1] == '.' || text[stop - 1] == ':' || text[stop - 1] == '!')) --stop;
  };
  go_on(kJudged);
  const bool long_one = stop - value == kJudged;
  if (!long_one) trim();
  const std::string_view shown = text.substr(begin, end - begin);
  const bool variable = flag || (std::ranges::none_of(shown, is_lower) && text[end] == '=');
  if (!looks_secret(text.substr(value, stop - value), name, variable, with_inner)) return std::nullopt;
  if (long_one) {
    go_on(text.size());
    trim();
  }
  return NamedSecret{{value, stop}, name};
}

}  // namespace holdfast::inline v1
