// Checks the fast ways of finding a literal against RE2, the slow one.
#include "find/literal.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <random>

#include "find/sieve.h"
#include "text/fold.h"
#include "text/json_string.h"

namespace holdfast::inline v1 {
namespace {

using Random = std::mt19937_64;

const std::vector<std::string> kLetters = {"a",      "A",          "b",
                                           "k",      "K",          "s",
                                           "S",      "e",          "T",
                                           " ",      ".",          "/",
                                           "\"",     "\\",         "\n",
                                           "\u212A", "\u017F",     "\u00DF",
                                           "\u00C4", "\u00E4",     "\u03A3",
                                           "\u03C3", "\u03C2",     "\u4E2D",
                                           "\u6587", "\U0001F600", "u",
                                           "0",      "4",          "1",
                                           "<",      "-",          "\u0084\u00AA",
                                           "\t"};

std::string random_text(Random& random, std::size_t most) {
  std::string text;
  for (auto left = random() % (most + 1); left > 0; --left) text += kLetters[random() % kLetters.size()];
  return text;
}

RE2 slow(const std::string& needle, bool match_case) {
  RE2::Options options;
  options.set_literal(true);
  options.set_case_sensitive(match_case);
  return {needle, options};
}

TEST(Literal, MatchesRe2) {
  Random random(1);
  for (int round = 0; round < 20'000; ++round) {
    const std::string needle = random_text(random, 5) + kLetters[random() % 9];
    const bool match_case = random() % 4 == 0;
    std::string text = random_text(random, 120);
    if (random() % 3 == 0) text.insert(0, std::string(random() % 90, 'x'));
    const Literal literal(needle, match_case);
    const RE2 pattern(needle, [&] {
      RE2::Options options;
      options.set_literal(true);
      options.set_case_sensitive(match_case);
      return options;
    }());
    std::vector<TextSpan> want, got;
    re2::StringPiece found;
    for (std::size_t at = 0; pattern.Match(text, at, text.size(), RE2::UNANCHORED, &found, 1);) {
      const auto from = static_cast<std::size_t>(found.data() - text.data());
      want.push_back({from, from + found.size()});
      at = from + found.size();
    }
    literal.add_spans(text, got);
    ASSERT_EQ(got, want) << "needle " << needle << " in " << text;
    ASSERT_EQ(literal.occurs_in(text), !want.empty());
  }
}

TEST(Literal, FoldsCaseLikeRe2) {
  int pairs = 0;
  for (char32_t c = 0x80; c < 0x1F000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    const char32_t other = fold_char(c);
    if (other == c) continue;
    const auto spelled = [](char32_t one) {
      std::string text;
      std::string token = "\"\\u";
      char digits[8];
      if (one > 0xFFFF) {
        const char32_t rest = one - 0x10000;
        std::snprintf(digits, sizeof digits, "%04X", static_cast<unsigned>(0xD800 + (rest >> 10)));
        token += digits;
        token += "\\u";
        one = 0xDC00 + (rest & 0x3FF);
      }
      std::snprintf(digits, sizeof digits, "%04X", static_cast<unsigned>(one));
      return decode_json_string(token + digits + "\"").value_or("");
    };
    ASSERT_TRUE(RE2::PartialMatch(spelled(c), slow(spelled(other), false))) << std::hex << static_cast<unsigned>(c);
    ++pairs;
  }
  EXPECT_GT(pairs, 1300);
}

TEST(ByteScan, VectorCodeMatchesPortableCode) {
  Random random(2);
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 400, '\0');
    for (char& byte : text) byte = "abAB\\u\xC5\xBF"[random() % 8];
    std::vector<BytePair> pairs(1 + random() % kMaxPairs);
    for (BytePair& pair : pairs) {
      const bool loose = random() % 2 == 0;
      pair.first = loose ? 'a' : static_cast<std::uint8_t>("ab\\\xC5"[random() % 4]);
      pair.first_mask = loose ? 0x20 : 0;
      pair.second = static_cast<std::uint8_t>("bu\xBF"[random() % 3]);
      pair.second_mask = random() % 3 == 0 ? 0x20 : 0;
      pair.distance = static_cast<std::uint8_t>(random() % 40);
    }
    const std::size_t from = text.empty() ? 0 : random() % text.size();
    const PairMatch want = find_pair_portable(pairs, text, from), got = find_pair(pairs, text, from);
    ASSERT_EQ(got.at, want.at);
    ASSERT_EQ(got.pair, want.pair);
  }
}

// Returns a JSON string as some writer spells it, including strings inside strings.
std::string spelled(Random& random, std::string_view text, int depth) {
  const auto style = random() % 4;
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const std::string one(text.substr(at, length));
    at += length;
    std::string token;
    append_json_string(token, one);
    const bool escape = style == 0 || (style == 1 && lead >= 0x80) || (style == 2 && random() % 6 == 0);
    if (!escape) {
      out += one == "/" && random() % 2 == 0 ? "\\/" : token.substr(1, token.size() - 2);
      continue;
    }
    char32_t c = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) c = c << 6 | (static_cast<unsigned char>(one[i]) & 0x3FU);
    const auto put = [&](char32_t unit) {
      char digits[8];
      std::snprintf(digits, sizeof digits, random() % 2 == 0 ? "\\u%04x" : "\\u%04X", static_cast<unsigned>(unit));
      out += digits;
    };
    if (c > 0xFFFF) {
      put(0xD800 + ((c - 0x10000) >> 10));
      put(0xDC00 + ((c - 0x10000) & 0x3FF));
    } else {
      put(c);
    }
  }
  out += '"';
  return depth == 0 ? out : spelled(random, out, depth - 1);
}

TEST(Sieve, PassesEverySpelling) {
  Random random(3);
  int sieved = 0, held_back = 0;
  for (int round = 0; round < 60'000; ++round) {
    const std::string needle = random_text(random, 5) + kLetters[random() % 9];
    const bool match_case = random() % 4 == 0;
    const Literal literal(needle, match_case);
    const auto sieve = Sieve::of(match_case ? needle : literal.needle(), match_case);
    if (!sieve) continue;
    ++sieved;
    std::string text = random_text(random, 12);
    if (random() % 2 == 0) text += needle + random_text(random, 3);
    const std::string line = R"({"k":)" + spelled(random, text, static_cast<int>(random() % 3)) + "}";
    const bool told = sieve->next(line, 0) != std::string::npos;
    ASSERT_TRUE(told || !literal.occurs_in(text)) << needle << " in " << line;
    if (!told) ++held_back;
  }
  EXPECT_GT(sieved, 20'000);
  EXPECT_GT(held_back, 3'000);
}

}  // namespace
}  // namespace holdfast::inline v1
