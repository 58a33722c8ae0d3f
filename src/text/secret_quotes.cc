#include "text/secret_quotes.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "text/secret_values.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongestQuoted = 512;

// Words of sentences, labels and remarks.
constexpr std::array<std::string_view, 92> kWording = {
    "the",    "of",      "to",        "is",       "are",    "be",    "must",  "at",     "least",   "most",   "your",
    "you",    "enter",   "please",    "and",      "or",     "for",   "with",  "not",    "in",      "on",     "by",
    "this",   "that",    "these",     "from",     "has",    "have",  "was",   "were",   "will",    "can",    "cannot",
    "should", "if",      "when",      "it",       "its",    "as",    "an",    "my",     "our",     "their",  "new",
    "old",    "no",      "than",      "more",     "do",     "does",  "don't", "didn't", "isn't",   "use",    "used",
    "using",  "set",     "only",      "also",     "then",   "but",   "all",   "any",    "which",   "via",    "per",
    "login",  "user",    "username",  "email",    "min",    "max",   "chars", "digits", "letters", "length", "hash",
    "base64", "encoded", "encrypted", "required", "string", "basic", "error", "failed", "invalid", "der",    "die",
    "das",    "und",     "ist",       "character"};

bool says(std::string_view word) {
  return std::ranges::find(kWording, word) != kWording.end() || word.starts_with("character") ||
         secret_name(word) != SecretName::no;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t", at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// Templates, patterns and calls.
bool is_code(std::string_view value) {
  for (const std::string_view part :
       {"${", "$(",  "{{",  "}}",  "<%",  "%(",  "</",  "/>",  "=>", "->", "==", "&&", "||",
        "[^", "A-Z", "a-z", "0-9", "\\d", "\\w", "\\s", "\\b", "(?", "()", "+ ", "` ", "%s"})
    if (value.contains(part)) return true;
  constexpr std::string_view kOpen = "{<[(", kClose = "}>])";
  const std::size_t bracket = kOpen.find(value.front());
  if (bracket != std::string_view::npos && value.back() == kClose[bracket]) return true;
  const auto is_word = [](char c) { return is_ascii_alnum(c) || c == '_' || c == '.'; };
  // f"{name}:x", varchar(255)
  const std::size_t brace = value.find('{');
  if (brace != std::string_view::npos) {
    std::size_t end = brace + 1;
    while (end < value.size() && is_word(value[end])) ++end;
    if (end < value.size() && value[end] == '}') return true;
  }
  const std::size_t call = value.find('(');
  return call != std::string_view::npos && call > 0 && value.back() == ')' &&
         std::ranges::all_of(value.substr(0, call), [](char c) { return is_ascii_letter(c) || c == '_' || c == '.'; });
}

// required|min:8, string, a comma between lists of words
bool is_list(std::string_view value) {
  const std::size_t mark = value.find_first_of("|,;");
  if (mark == std::string_view::npos) return false;
  for (std::size_t at = 0; at < value.size();) {
    const std::size_t end = std::min(value.find_first_of("|,;", at), value.size());
    const std::string_view item = value.substr(at, end - at);
    const std::string_view name = item.substr(0, item.find(':'));
    if (!std::ranges::all_of(name, [](char c) { return is_ascii_letter(c) || c == '_' || c == '-' || c == ' '; }))
      return false;
    at = end + 1;
  }
  return true;
}

bool is_wording(std::string_view value) {
  constexpr std::size_t kMostWords = 6;
  const std::vector<std::string_view> words = split_words(value);
  if (words.size() > kMostWords) return true;
  if (words.size() < 2) return false;
  return std::ranges::any_of(words, [](std::string_view word) {
    while (!word.empty() && std::string_view(".,:;!?)").contains(word.back())) word.remove_suffix(1);
    while (!word.empty() && word.front() == '(') word.remove_prefix(1);
    return says(in_lower_case(word));
  });
}

// What no language has among its words: digits between letters, or capitals within a word.
bool is_random_word(std::string_view word, bool password) {
  constexpr std::size_t kShortestWord = 5;
  if (word.size() < kShortestWord) return false;
  if (std::ranges::any_of(word, is_ascii_digit) && std::ranges::any_of(word, is_ascii_letter)) return true;
  if (!password) return false;
  for (std::size_t i = 1; i < word.size(); ++i)
    if (is_ascii_upper(word[i]) && (is_ascii_lower(word[i - 1]) || std::string_view("'\"`").contains(word[i - 1])))
      return true;
  return false;
}

// Four words of four letters, as some mail services give to programs; or groups of digits.
bool is_grouped(std::string_view value) {
  const std::vector<std::string_view> words = split_words(value);
  if (words.size() < 2) return false;
  if (std::ranges::all_of(words, [](std::string_view word) { return std::ranges::all_of(word, is_ascii_digit); }))
    return true;
  return words.size() == 4 && std::ranges::all_of(words, [](std::string_view word) {
           return word.size() == 4 && std::ranges::all_of(word, is_ascii_lower);
         });
}

}  // namespace

bool is_secret_quote(char c) { return c == '"' || c == '\'' || c == '`'; }

std::size_t quotes_close(std::string_view text, std::size_t value) {
  if (value == 0 || value >= text.size() || !is_secret_quote(text[value - 1])) return 0;
  const char quote = text[value - 1];
  std::size_t depth = 0;  // backslashes before the quote: none, or one for each time that JSON was put in a string
  while (depth < 7 && value >= depth + 2 && text[value - 2 - depth] == '\\') ++depth;
  if (depth == 2 || (depth > 3 && depth < 7)) return 0;
  if (depth == 0 && value > 1 && text[value - 2] == quote) return 0;  // "" is an empty value
  const std::string_view rest = text.substr(value, kLongestQuoted);
  std::size_t plain = 0, slashes = 0;
  for (std::size_t at = 0; at < rest.size() && rest[at] != '\n' && rest[at] != '\r'; ++at) {
    if (rest[at] == '\\') {
      ++slashes;
      continue;
    }
    if (rest[at] == quote) {
      std::size_t own = slashes;
      for (std::size_t level = depth; level > 0; level /= 2) {
        if (own % 2 == 0) return 0;  // the end of the string around it
        own = (own - 1) / 2;
      }
      if (own % 2 == 0) return value + at - depth;
      if (plain == 0) plain = value + at;
    }
    slashes = 0;
  }
  // 'C:\x\': the shell escapes nothing here.
  return depth == 0 ? plain : 0;
}

bool is_quoted_secret(std::string_view value, SecretName name, bool variable, bool with_inner) {
  constexpr std::size_t kShortestQuoted = 6, kShortestKey = 12;
  if (name == SecretName::no || value.size() < kShortestQuoted) return false;
  // Behind a name in quotes that has no value, the closing quote looks like an opening one.
  if (std::string_view(" \t,;)]}:+.|&=?").contains(value.front()) || std::string_view(" \t,(:").contains(value.back()))
    return false;
  if (is_stand_in(in_lower_case(value)) || is_expression(value) || is_code(value) || is_list(value) ||
      is_wording(value))
    return false;
  const bool password = name == SecretName::password;
  const std::size_t equals = value.find('=');
  if (!password && !with_inner && equals != std::string_view::npos &&
      value.find_first_not_of('=', equals) != std::string_view::npos)
    return false;
  const std::vector<std::string_view> words = split_words(value);
  if (name == SecretName::key) return words.size() == 1 && value.size() >= kShortestKey && is_random_word(value, false);
  if (variable) return true;
  if (password && is_grouped(value)) return true;
  return std::ranges::any_of(words, [&](std::string_view word) { return is_random_word(word, password); });
}

}  // namespace holdfast::inline v1
