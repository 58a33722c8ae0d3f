#include "bench/synthetic_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace holdfast::bench {
namespace {

constexpr std::size_t kWords = 40'000;

std::vector<std::string> make_words(Dice& dice) {
  static constexpr std::array<std::string_view, 24> kHeads = {"b",  "br", "c", "cl", "d", "dr", "f", "fl",
                                                              "g",  "gr", "h", "k",  "l", "m",  "n", "p",
                                                              "pr", "r",  "s", "st", "t", "tr", "v", "w"};
  static constexpr std::array<std::string_view, 12> kHearts = {"a",  "e",  "i",  "o",  "u", "ai",
                                                               "ea", "ie", "oo", "ou", "y", "er"};
  static constexpr std::array<std::string_view, 12> kTails = {"",  "",   "n",  "r",  "s", "t",
                                                              "l", "ck", "nd", "st", "m", "x"};
  std::vector<std::string> words;
  words.reserve(kWords);
  while (words.size() < kWords) {
    std::string word;
    // Frequent words come first and are short.
    const std::size_t longest = words.size() < 200 ? 1 : words.size() < 4000 ? 2 : 4;
    for (std::size_t left = dice.between(1, longest); left > 0; --left)
      ((word += kHeads[dice.below(kHeads.size())]) += kHearts[dice.below(kHearts.size())]) +=
          kTails[dice.below(kTails.size())];
    words.push_back(std::move(word));
  }
  return words;
}

// Zipf-like: the n-th word is about 1/n as frequent as the first.
const std::string& pick_word(Dice& dice, const std::vector<std::string>& words) {
  const double rank = std::exp(dice.share() * std::log(static_cast<double>(words.size())));
  return words[std::min(static_cast<std::size_t>(rank) - 1, words.size() - 1)];
}

void prose_piece(Dice& dice, const std::vector<std::string>& words, std::string& text) {
  const std::size_t length = dice.between(5, 22);
  for (std::size_t n = 0; n < length; ++n) {
    if (n > 0) text += dice.one_in(9) ? ", " : " ";
    if (dice.one_in(40))
      (((text += '`') += pick_word(dice, words)) += "_") += pick_word(dice, words) + "`";
    else if (dice.one_in(60))
      ((text += "\\\"") += pick_word(dice, words)) += "\\\"";
    else
      text += pick_word(dice, words);
  }
  text += dice.one_in(30) ? " \xE2\x80\x93 gr\xC3\xBC\xC3\x9F. " : ". ";
  if (dice.one_in(5)) text += dice.one_in(3) ? "\\n\\n- " : "\\n\\n";
}

void code_piece(Dice& dice, const std::vector<std::string>& words, std::string& text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  text.append(2 * dice.below(5), ' ');
  switch (dice.below(6)) {
    case 0: ((text += "if (") += pick_word(dice, words)) += " != nullptr) {"; break;
    case 1:
      (((text += "src/") += pick_word(dice, words)) += "/") +=
          pick_word(dice, words) + ".cc:" + std::to_string(dice.below(900)) + ":";
      break;
    case 2: (((text += "return ") += pick_word(dice, words)) += "(\\\"") += pick_word(dice, words) + "\\\");"; break;
    case 3:
      for (int n = 0; n < 40; ++n) text += kHex[dice.below(16)];
      (text += "  ") += pick_word(dice, words);
      break;
    case 4:
      (((text += "\\t") += pick_word(dice, words)) += " = ") += std::to_string(dice.below(1'000'000)) + ";";
      break;
    default:
      (text += "// ") += pick_word(dice, words);
      for (std::size_t n = dice.between(2, 9); n > 0; --n) (text += ' ') += pick_word(dice, words);
  }
  text += "\\n";
}

}  // namespace

TextPool::TextPool(Kind kind, std::uint64_t seed, std::size_t bytes) {
  Dice dice(seed);
  const std::vector<std::string> words = make_words(dice);
  text_.reserve(bytes + 4096);
  while (text_.size() < bytes) {
    cuts_.push_back(text_.size());
    if (kind == Kind::prose)
      prose_piece(dice, words, text_);
    else
      code_piece(dice, words, text_);
  }
}

std::string_view TextPool::slice(Dice& dice, std::size_t bytes) const {
  const std::size_t length = std::min(bytes, text_.size() / 2);
  const auto first = cuts_.begin() + static_cast<std::ptrdiff_t>(dice.below(cuts_.size() / 2));
  const auto last = std::upper_bound(first + 1, cuts_.end() - 1, *first + length);
  return std::string_view(text_).substr(*first, *last - *first);
}

}  // namespace holdfast::bench
