#include "text/path_words.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongestPath = 4096;
constexpr std::size_t kLongestRelativePath = 200;

struct Quotes {
  std::string_view open, close;
};
constexpr std::array<Quotes, 10> kQuotes = {{{"\"", "\""},
                                             {"'", "'"},
                                             {"`", "`"},
                                             {"`", "'"},  // old messages of GNU
                                             {"‘", "’"},
                                             {"“", "”"},
                                             {"„", "“"},
                                             {"«", "»"},
                                             {"](", ")"},
                                             {"(", ")"}}};
constexpr std::string_view kBracket = "(";

bool is_letter(char c) { return is_ascii_letter(c) || (c & 0x80) != 0; }
bool is_separator(char c) { return c == '/' || c == '\\'; }

// Windows separates names with backslashes, which JSON doubles, also after a variable: %APPDATA%\x, src\\x. Shells
// escape spaces with them; before brackets they may be part of a pattern.
bool has_backslash_inside(std::string_view word) {
  for (std::size_t at = word.find('\\', std::min(word.find_first_not_of('\\'), word.size()));
       at != std::string_view::npos;) {
    const std::size_t end = word.find_first_not_of('\\', at);
    if (end == std::string_view::npos) return false;
    if (!std::string_view("()[]{}").contains(word[end])) return true;
    at = word.find('\\', end);
  }
  return false;
}

bool is_path(std::string_view word) {
  if (is_web_address(word) || std::ranges::none_of(word, is_letter)) return false;
  return word.contains('/') || word.contains(":\\") || word.starts_with("\\\\") || word.starts_with("~") ||
         has_backslash_inside(word);
}

// The end of the directory `place` that is written at `at`, in any of its forms; `at` if it is not.
std::size_t place_end(std::string_view place, std::string_view text, std::size_t at) {
  const std::size_t begin = at;
  for (std::size_t i = 0; i < place.size();) {
    if (is_separator(place[i])) {
      const std::size_t before = at;
      while (at < text.size() && is_separator(text[at])) ++at;
      if (at == before) return begin;
      while (i < place.size() && is_separator(place[i])) ++i;
      continue;
    }
    if (!is_ascii_alnum(place[i]) && text.substr(at, 1) == "\\") ++at;
    if (at < text.size() && ascii_lower(text[at]) == ascii_lower(place[i]))
      ++at;
    else if (place[i] == ' ' && text.substr(at, 3) == "%20")
      at += 3;
    else
      return begin;
    ++i;
  }
  return at;
}

// The same for the longest of several. Words with a short one are paths anyway.
std::size_t known_end(std::string_view text, std::size_t at, KnownPlaces places) {
  constexpr std::size_t kShortest = 4;
  std::size_t end = at;
  for (std::string_view place : places) {
    while (!place.empty() && is_separator(place.back())) place.remove_suffix(1);
    if (place.size() >= kShortest) end = std::max(end, place_end(place, text, at));
  }
  return end;
}

// The end of a variable at the begin: %NAME%, $NAME, ${NAME}, $(command), $env:NAME; 0 if there is none.
std::size_t variable_end(std::string_view text) {
  const auto is_name = [](char c) { return is_ascii_alnum(c) || c == '_' || c == ':' || c == '(' || c == ')'; };
  if (text.starts_with("${") || text.starts_with("$(")) {
    const char close = text[1] == '{' ? '}' : ')';
    for (std::size_t at = text.find(close); at != std::string_view::npos; at = text.find(close, at + 1))
      if (at + 1 < text.size() && is_separator(text[at + 1])) return at + 1;
    return 0;
  }
  if (!text.starts_with('$') && !text.starts_with('%')) return 0;
  std::size_t at = 1;
  while (at < text.size() && is_name(text[at])) ++at;
  if (text[0] == '$') return at;
  return at < text.size() && text[at] == '%' ? at + 1 : 0;
}

bool begins_like_path(std::string_view words, KnownPlaces places) {
  for (const std::string_view begin : {"/", "~", "\\\\", "./", "../", ".\\", "..\\", "file:/"})
    if (words.starts_with(begin)) return true;
  if (words.size() > 2 && is_ascii_letter(words[0]) && words[1] == ':' && is_separator(words[2])) return true;
  const std::size_t variable = variable_end(words);
  return (variable > 0 && variable < words.size() && is_separator(words[variable])) || known_end(words, 0, places) > 0;
}

// x/y, x.txt, x.cc:12:3
bool ends_like_path(std::string_view words) {
  constexpr std::size_t kLongestSuffix = 5;
  for (std::size_t colon = words.rfind(':'); colon != std::string_view::npos; colon = words.rfind(':')) {
    if (!std::ranges::all_of(words.substr(colon + 1), is_ascii_digit)) break;
    words = words.substr(0, colon);
  }
  const std::string_view last = words.substr(words.rfind(' ') + 1);
  if (std::ranges::any_of(last, is_separator)) return true;
  const std::string_view suffix = last.substr(last.rfind('.') + 1);
  return suffix.size() < last.size() && suffix.size() <= kLongestSuffix &&
         std::ranges::all_of(suffix, is_ascii_alnum) && std::ranges::any_of(suffix, is_ascii_letter);
}

// A relative path in quotes that follow `before`: one of its words is a path, and so is its end.
bool is_relative_path(std::string_view before, std::string_view words) {
  if (words.size() > kLongestRelativePath || words.front() == ' ' || words.back() == ' ' || !ends_like_path(words))
    return false;
  if (!before.empty() && is_ascii_alnum(before.back())) return false;  // the end of other quotes
  bool found = false;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string_view word = words.substr(at, end - at);
    if (is_web_address(word)) return false;
    found = found || is_path(word);
    at = end + 1;
  }
  return found;
}

}  // namespace

bool is_web_address(std::string_view word) { return word.starts_with("http://") || word.starts_with("https://"); }

std::size_t between_words(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  const char c = text[at];
  if (static_cast<unsigned char>(c) <= ' ' || std::string_view("\"'`<>()[]{},;=|*").contains(c)) return 1;
  if (c != '\xe2' && c != '\xc2') return 0;
  for (const Quotes& quotes : kQuotes)
    if (text.substr(at).starts_with(quotes.open)) return quotes.open.size();
  return 0;
}

PathWord word_at(std::string_view text, std::size_t at, KnownPlaces places) {
  const bool address = is_web_address(text.substr(at));
  std::size_t end = at, unescaped = 0;
  bool known = false;
  while (end < text.size()) {
    const std::size_t beyond = known_end(text, end, places);
    // Names like /app are common in addresses, too.
    if (beyond > end && (!address || std::ranges::count_if(text.substr(end, beyond - end), is_separator) > 1)) {
      end = beyond;
      known = true;
    } else if (between_words(text, end) > 0) {
      break;
    } else if (text[end] == '\\' && end > at && end - at < kLongestPath && end + 1 < text.size() &&
               std::string_view(" ()[]{}").contains(text[end + 1])) {
      if (unescaped == 0) unescaped = end + 1;
      end += 2;
    } else {
      ++end;
    }
  }
  if (known || is_path(text.substr(at, end - at))) return {end, true};
  return unescaped == 0 ? PathWord{end, false} : PathWord{unescaped, is_path(text.substr(at, unescaped - at))};
}

std::size_t quoted_path_end(std::string_view text, std::size_t at, KnownPlaces places) {
  for (const Quotes& quotes : kQuotes) {
    std::string_view before = text.substr(0, at);
    if (!before.ends_with(quotes.open)) continue;
    before.remove_suffix(quotes.open.size());
    std::string_view words = text.substr(at, kLongestPath);
    words = words.substr(0, words.find('\n'));
    const std::size_t close = words.find(quotes.close);
    if (close == std::string_view::npos) continue;
    words = words.substr(0, close);
    if (before.ends_with('\\'))  // JSON in a text escapes both quotes
      while (words.ends_with('\\')) words.remove_suffix(1);
    if (std::ranges::none_of(words, is_letter)) continue;
    const bool bracket = quotes.open == kBracket;
    if (begins_like_path(words, places) ? !bracket || ends_like_path(words)
                                        : !bracket && is_relative_path(before, words))
      return at + words.size();
  }
  return at;
}

}  // namespace holdfast::inline v1
