#include "doors/cli/fuzzy.h"

#include <algorithm>

#include "base/ascii.h"

namespace holdfast::inline v1 {
namespace {

bool is_letter(char c) { return is_ascii_alnum(c) || (static_cast<unsigned char>(c) & 0x80) != 0; }

constexpr int kLetter = 1, kBegin = 6, kNext = 5, kWhole = 20;

// The best score of the word with its first letter at or after `from`; greedy from there.
std::optional<int> score_from(std::string_view word, std::string_view text, std::size_t from) {
  int score = 0;
  std::size_t at = from;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const std::size_t found =
        static_cast<std::size_t>(std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                                              [&](char c) { return ascii_lower(c) == ascii_lower(word[i]); }) -
                                 text.begin());
    if (found == text.size()) return std::nullopt;
    score += kLetter;
    if (found == 0 || !is_letter(text[found - 1])) score += kBegin;
    if (i > 0 && found == at) score += kNext;
    at = found + 1;
  }
  return score;
}

std::optional<int> score_word(std::string_view word, std::string_view text) {
  std::optional<int> best;
  for (std::size_t from = 0; from + word.size() <= text.size(); ++from) {
    if (ascii_lower(text[from]) != ascii_lower(word[0])) continue;
    auto score = score_from(word, text, from);
    if (!score) break;  // no later start matches either
    const bool whole = std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(from),
                                  [](char a, char b) { return ascii_lower(a) == ascii_lower(b); });
    best = std::max(best.value_or(0), *score + (whole ? kWhole : 0));
  }
  return best;
}

}  // namespace

std::optional<int> fuzzy_score(std::string_view query, std::string_view text) {
  int sum = 0;
  while (!query.empty()) {
    const std::string_view word = query.substr(0, query.find(' '));
    query.remove_prefix(std::min(query.size(), word.size() + 1));
    if (word.empty()) continue;
    const auto score = score_word(word, text);
    if (!score) return std::nullopt;
    sum += *score;
  }
  return sum;
}

}  // namespace holdfast::inline v1
