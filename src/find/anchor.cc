#include "find/anchor.h"

#include <algorithm>
#include <limits>

#include "base/ascii.h"
#include "text/fold.h"

namespace holdfast::inline v1 {
int byte_frequency(unsigned char byte) {
  constexpr std::string_view kCommon = "etaonirs\"lcdupmh,:-f/.g_by0v1w2x5384697k}{\\()='j;q[]z";
  if (byte == ' ') return 100;
  const std::size_t rank = kCommon.find(static_cast<char>(byte));
  if (rank != std::string_view::npos) return 90 - static_cast<int>(rank);
  return byte >= 0x80 ? 20 : 10;
}

namespace {

constexpr std::size_t kLongest = 200;  // the distance of a pair must fit in a byte

// The length of the character at `at`, and whether it has only one spelling apart from ASCII case.
struct Unit {
  std::size_t length = 1;
  bool sure = false;
};
Unit unit_at(std::string_view text, std::size_t at, bool match_case, bool json) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) {
    const bool escaped = json && (lead < 0x20 || lead == '"' || lead == '\\' || lead == '/' || lead == 0x7F);
    return {1, !escaped};
  }
  const std::size_t length = std::min<std::size_t>(lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4, text.size() - at);
  const std::string_view one = text.substr(at, length);
  if (one == "\xEF\xBF\xBD") return {length, false};  // replaces any invalid bytes
  // Non-ASCII letters with case have several spellings. Folded text shows only one of them, so the
  // characters that anything folds to have no fixed spelling: all below U+3000 and a few above.
  const bool caseless = lead >= 0xE3 && lead <= 0xE9;  // U+3000 to U+9FFF: kana, Han
  return {length, match_case || caseless};
}

}  // namespace

std::optional<Anchor> Anchor::of(std::string_view literal, bool match_case, bool json) {
  std::size_t best = 0, best_size = 0;
  for (std::size_t at = 0; at < literal.size();) {
    const std::size_t begin = at;
    while (at < literal.size() && at - begin < kLongest) {
      const Unit unit = unit_at(literal, at, match_case, json);
      if (!unit.sure) break;
      at += unit.length;
    }
    if (at - begin > best_size) {
      best = begin;
      best_size = at - begin;
    }
    if (at == begin) at += unit_at(literal, at, match_case, json).length;
  }
  if (best_size < 2) return std::nullopt;
  Anchor anchor;
  anchor.bytes = literal.substr(best, best_size);
  for (char& byte : anchor.bytes) {
    const bool loose = !match_case && is_ascii_letter(byte);
    anchor.masks += loose ? '\x20' : '\0';
    if (loose) byte = static_cast<char>(byte | 0x20);
    anchor.holds_s = anchor.holds_s || (loose && byte == 's');
    anchor.holds_k = anchor.holds_k || (loose && byte == 'k');
  }
  // Choose the two rarest bytes.
  const auto rank = [&](std::size_t i) { return byte_frequency(static_cast<unsigned char>(anchor.bytes[i])); };
  std::size_t a = 0, b = 1;
  int least = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < best_size; ++i) {
    for (std::size_t j = i + 1; j < best_size; ++j) {
      const int sum = rank(i) + rank(j) + (anchor.bytes[i] == anchor.bytes[j] ? 30 : 0);
      if (sum >= least) continue;
      least = sum;
      a = i;
      b = j;
    }
  }
  const auto byte = [](const std::string& from, std::size_t i) { return static_cast<std::uint8_t>(from[i]); };
  anchor.first = a;
  anchor.pair = {byte(anchor.bytes, a), byte(anchor.masks, a), byte(anchor.bytes, b), byte(anchor.masks, b),
                 static_cast<std::uint8_t>(b - a)};
  return anchor;
}

bool Anchor::stands_at(std::string_view text, std::size_t at) const {
  if (at > text.size() || text.size() - at < bytes.size()) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (static_cast<char>(text[at + i] | masks[i]) != bytes[i]) return false;
  }
  return true;
}

}  // namespace holdfast::inline v1
