#include "text/secret_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "text/secret_quotes.h"
#include "text/secret_values.h"
#include "text/secrets.h"

namespace holdfast::inline v1 {
namespace {

bool is_name(char c) { return is_ascii_alnum(c) || c == '_' || c == '-' || c == '.'; }

// Splits "authToken2" into auth, token; a digit ends a word and belongs to none.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = is_ascii_letter(c);
    const bool hump = is_ascii_upper(c) && i > 0 &&
                      (is_ascii_lower(name[i - 1]) ||
                       (is_ascii_upper(name[i - 1]) && i + 1 < name.size() && is_ascii_lower(name[i + 1])));
    if ((!letter || hump) && !words.back().empty()) words.emplace_back();
    if (letter) words.back() += ascii_lower(c);
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

template <std::size_t N>
bool among(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

constexpr std::array<std::string_view, 4> kPasswords = {"password", "passwd", "passphrase", "passcode"};
constexpr std::array<std::string_view, 10> kSecrets = {"secrets",       "apikey", "credential", "credentials", "cookie",
                                                       "authorization", "oauth",  "bearer",     "jwt",         "token"};
constexpr std::array<std::string_view, 10> kBeforeKey = {"api",  "access",  "private", "secret",     "account",
                                                         "auth", "signing", "master",  "encryption", "client"};
// Last words of names for properties of a secret.
constexpr std::array<std::string_view, 43> kAbout = {
    "url",      "uri",     "file",    "path",     "dir",       "name",     "id",           "type",   "ttl",
    "expiry",   "expires", "length",  "count",    "limit",     "endpoint", "host",         "port",   "enabled",
    "required", "header",  "policy",  "hint",     "algorithm", "at",       "in",           "budget", "usage",
    "cost",     "field",   "label",   "kind",     "status",    "format",   "size",         "index",  "scope",
    "helper",   "counts",  "manager", "provider", "stdin",     "config",   "configuration"};
// Words that end like the name of a secret but are not one, in variables without separators between words.
constexpr std::array<std::string_view, 17> kWholeWords = {
    "monkey", "donkey",  "turkey",   "hockey",  "jockey",    "whiskey",  "hotkey",    "turnkey",   "lackey",
    "bypass", "compass", "trespass", "surpass", "encompass", "overpass", "underpass", "renderpass"};
// Keys that are not secret.
constexpr std::array<std::string_view, 20> kPlainKeys = {
    "public", "pub",    "primary", "foreign", "sort",      "partition", "cache",    "row",   "unique",      "group",
    "index",  "lookup", "object",  "range",   "composite", "routing",   "registry", "dedup", "idempotency", "host"};

bool is_password(std::string_view word) {
  return std::ranges::any_of(kPasswords, [&](std::string_view end) {
    return word.ends_with(end) && !word.substr(0, word.size() - end.size()).starts_with("no");
  });
}

// Also matches words that are run together: dbpassword, githubtoken, secretkey.
bool is_secret(std::string_view word) {
  if (among(kSecrets, word) || word.ends_with("token") || word.ends_with("secret")) return true;
  return word.ends_with("key") && among(kBeforeKey, word.substr(0, word.size() - 3));
}

// Classifies the last word of a variable.
SecretName variable_name(std::string_view word, bool alone, bool capitals) {
  if (word == "key") return SecretName::key;
  if (word == "auth") return alone ? SecretName::key : SecretName::secret;  // AUTH=PLAIN
  if (!capitals || among(kWholeWords, word)) return SecretName::no;
  if (word.ends_with("pass") && (alone || word.size() > 4)) return SecretName::password;
  return word.ends_with("key") ? SecretName::key : SecretName::no;
}

bool is_plain_key(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  const std::string_view last = words.back();
  return last == "key" ? words.size() > 1 && among(kPlainKeys, words[words.size() - 2])
                       : among(kPlainKeys, last.substr(0, last.size() - std::min<std::size_t>(3, last.size())));
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
    if (is_password(word)) return SecretName::password;
    if (last && i > 0 && (word == "pass" || word == "pwd")) return SecretName::password;
    if (is_secret(word)) found = SecretName::secret;
    if (word == "key" && i > 0 && among(kBeforeKey, words[i - 1])) found = SecretName::secret;
    if (last && environment && found == SecretName::no)
      found = variable_name(word, i == 0, std::ranges::none_of(name, is_ascii_lower));
  }
  return found;
}

bool names_login(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  return !words.empty() && words.back() == "auth";
}

namespace {

// A name and the value after it.
struct Assigned {
  std::string_view text;
  std::size_t begin, end;  // of the name
  std::size_t value, stop;
  bool flag = false;     // --name
  bool query = false;    // ?name=…&name=…
  bool element = false;  // <name>…</name>
  bool member = false;   // name: …, value: …

  std::string_view name() const { return text.substr(begin, end - begin); }
  std::string_view shown() const { return text.substr(value, stop - value); }
  bool at_end(std::size_t at) const {
    return at >= text.size() || text[at] == '\n' || text[at] == '\r' || text.substr(at, 2) == "\\n" ||
           text.substr(at, 2) == "\\r";
  }
  bool is_quote(std::size_t at) const {
    if (at < text.size() && text[at] == '\\') ++at;
    return at < text.size() && (text[at] == '"' || text[at] == '\'' || text[at] == '`');
  }
  bool quoted() const { return is_secret_quote(text[value - 1]) && is_quote(stop); }
  // In quotes that begin just before the value, brackets and spaces belong to it, too: the end of the quotes, or 0.
  std::size_t quotes_end() const { return quotes_close(text, value); }
  // A line of an environment, which no shell takes apart: its end, or 0.
  std::size_t line_end() const {
    const std::string_view before = text.substr(0, begin);
    const bool alone = before.empty() || before.ends_with('\n') || before == "export " || before.ends_with("\nexport ");
    if (!alone || text[end] != '=' || value != end + 1 || std::ranges::any_of(name(), is_ascii_lower)) return 0;
    std::size_t last = std::min(text.find_first_of(" \t\r\n\"'`\\", stop), text.size());
    while (last > stop && ends_value(text[last - 1])) --last;
    return last;
  }
  // token = make2(a)
  bool is_call() const {
    return stop < text.size() && text[stop] == '(' && quotes_end() == 0 && std::ranges::all_of(shown(), is_name);
  }
  // f(a, password=b)
  bool is_argument() const {
    std::size_t before = begin;
    while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t')) --before;
    return before > 0 && (text[before - 1] == '(' || text[before - 1] == ',') && stop < text.size() &&
           (text[stop] == ',' || text[stop] == ')');
  }

  bool is_variable() const { return flag || (std::ranges::none_of(name(), is_ascii_lower) && text[end] == '='); }

  SecretName judged() const {
    if (name().ends_with(shown()) || is_call()) return SecretName::no;  // self.token2 = token2
    const bool capitals = std::ranges::none_of(name(), is_ascii_lower);
    SecretName found = secret_name(name(), capitals);
    if (found == SecretName::no && query)
      found = name() == "key"                       ? SecretName::key
              : name() == "pass" || name() == "pwd" ? SecretName::password
                                                    : SecretName::no;
    if (names_login(name()) && is_encoded_login(shown())) return SecretName::password;
    // Test results: PASS: name, PASS=12.
    if (found == SecretName::password && name() == "PASS" &&
        (text[end] != '=' || std::ranges::all_of(shown(), is_ascii_digit)))
      return SecretName::no;
    if (found != SecretName::key) return found;
    // Named just "key": only KEY=… and ?key=…, and only if the value is long.
    const bool alone = name().size() == 3;
    if (is_plain_key(name()) || (alone && (text[end] != '=' || stop - value < 12))) return SecretName::no;
    return found;
  }

  ValueContext standing() const {
    if (quoted() || element) return ValueContext::literal;
    if (member) return at_end(stop) ? ValueContext::line : ValueContext::somewhere;
    const bool beside = text[end] == '=' && value == end + 1;
    const bool called = stop < text.size() && std::string_view("([{<").find(text[stop]) != std::string_view::npos;
    if (beside && !called && !is_argument() && std::ranges::any_of(name(), is_ascii_lower) && !name().starts_with('-'))
      return ValueContext::literal;
    if (is_variable()) return ValueContext::variable;
    if (text[end] == ':' && value > end + 1 && at_end(stop)) return ValueContext::line;
    return ValueContext::somewhere;
  }
};

// Where the value is of a name that ends at `end`, in `name: x, value: y` of any format; 0 if it is not there.
std::size_t member_value(std::string_view text, std::size_t end) {
  std::size_t at = end;
  const auto skip = [&](std::string_view what, std::size_t most) {
    const std::size_t from = at;
    while (at < text.size() && at - from < most && what.contains(text[at])) ++at;
    return at > from;
  };
  skip("\\\"'", 2);
  if (!skip(", \t\r\n", 40)) return 0;
  skip("\\\"'", 2);
  if (text.substr(at, 5) != "value") return 0;
  at += 5;
  skip("\\\"'", 2);
  skip(" ", 1);
  return skip(":=", 1) ? at : 0;
}

// Returns the start of the next query parameter; `most` if there is none.
std::size_t next_parameter(std::string_view text, std::size_t from, std::size_t most, bool query) {
  for (std::size_t at = from; at < most; ++at) {
    if (query && (text[at] == '&' || text[at] == '#')) return at;
    if (text[at] != '&') continue;
    std::size_t name = at + 1;
    while (name < most && is_name(text[name])) ++name;
    if (name > at + 1 && name < most && text[name] == '=') return at;
  }
  return most;
}

bool in_query(std::string_view text, std::size_t begin) {
  if (begin == 0) return false;
  return text[begin - 1] == '?' || text[begin - 1] == '&' || text.substr(0, begin).ends_with("&amp;");
}

// The value of the same name if only all that is in its quotes is a secret.
std::optional<NamedSecret> quoted_secret(Assigned one, bool with_inner) {
  const std::size_t close = one.quotes_end();
  if (close <= one.stop) return std::nullopt;  // it is one word, which was judged
  one.stop = close;
  const SecretName name = one.judged();
  if (!is_quoted_secret(one.shown(), name, one.is_variable(), with_inner)) return std::nullopt;
  return NamedSecret{{one.value, close}, name};
}

}  // namespace

std::optional<NamedSecret> assigned_secret(std::string_view text, std::size_t at, std::size_t floor, bool with_inner) {
  constexpr std::size_t kLongest = 80;
  Assigned one{text, at, at, 0, 0};
  std::size_t& begin = one.begin;
  while (begin > floor && at - begin < kLongest && is_name(text[begin - 1])) --begin;
  // Skip the n of "\nTOKEN=..." in JSON inside a text.
  if (begin > 0 && text[begin - 1] == '\\' && begin < at) ++begin;
  std::size_t& end = one.end;
  while (end < text.size() && end - at < kLongest && is_name(text[end])) ++end;
  std::size_t& value = one.value;
  value = end;
  const auto skip = [&](std::string_view what, std::size_t most) {
    for (std::size_t n = 0; n < most && value < text.size() && what.find(text[value]) != std::string_view::npos; ++n)
      ++value;
  };
  const std::size_t member = member_value(text, end);
  one.element = begin > 0 && (text[begin - 1] == '<' || text[begin - 1] == ':') && text.substr(end, 1) == ">";
  skip("\\\"'`]", 3);
  skip(" \t", 3);
  one.flag = text.substr(begin, 2) == "--";
  one.query = in_query(text, begin);
  if (value >= text.size()) return std::nullopt;
  if (member > 0 || one.element) {
    one.member = member > 0;
    value = member > 0 ? member : end + 1;
  } else if (text[value] == ':' || text[value] == '=') {
    ++value;
    if (value < text.size() && (text[value] == '=' || text[value] == '>')) ++value;
  } else if (!one.flag || value == end) {
    return std::nullopt;
  }
  skip(" \t", 3);
  skip("\\\"'`", 3);
  // A long value is judged by its beginning, so a text full of names takes linear time.
  constexpr std::size_t kJudged = 512;
  std::size_t& stop = one.stop;
  stop = value;
  const auto go_on = [&](std::size_t most) {
    while (stop < text.size() && stop - value < most && !ends_value(text[stop])) ++stop;
  };
  // The period of a sentence is not part of the value.
  const auto trim = [&] {
    while (!one.quoted() && stop > value && (text[stop - 1] == '.' || text[stop - 1] == ':' || text[stop - 1] == '!'))
      --stop;
  };
  go_on(kJudged);
  const bool long_one = stop - value == kJudged;
  const std::size_t parameter = next_parameter(text, value, stop, one.query);
  const bool cut = parameter < stop;
  stop = parameter;
  if (!long_one && !cut) trim();
  if (one.element && text.substr(stop, 2) != "</") return std::nullopt;
  const SecretName name = one.judged();
  const bool login = name == SecretName::password && is_encoded_login(one.shown());
  if (name == SecretName::no || (!login && !looks_secret(one.shown(), name, one.standing(), with_inner)))
    return quoted_secret(one, with_inner);
  if (long_one && !cut) {
    go_on(text.size());
    trim();
  }
  stop = std::max({stop, one.quotes_end(), one.line_end()});
  return NamedSecret{{value, stop}, name};
}

}  // namespace holdfast::inline v1
