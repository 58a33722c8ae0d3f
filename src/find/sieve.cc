#include "find/sieve.h"

#include <algorithm>
#include <charconv>

#include "text/fold.h"

namespace holdfast::inline v1 {
namespace {

constexpr BytePair kEscape = {'\\', 0, 'u', 0, 1};

// Characters that writers for HTML escape without need.
constexpr std::u32string_view kOftenEscaped = U"<>&'=+`";

std::u32string letters_of(std::string_view text) {
  std::u32string letters;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = std::min<std::size_t>(lead < 0x80   ? 1
                                                     : lead < 0xE0 ? 2
                                                     : lead < 0xF0 ? 3
                                                                   : 4,
                                                     text.size() - at);
    char32_t c = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) c = c << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    letters += fold_char(c);
    at += length;
  }
  return letters;
}

}  // namespace

std::optional<Sieve> Sieve::of(std::string_view literal, bool match_case) {
  auto anchor = Anchor::of(literal, match_case, true);
  if (!anchor) return std::nullopt;
  return Sieve(std::move(*anchor));
}

Sieve::Sieve(Anchor anchor) : anchor_(std::move(anchor)), letters_(letters_of(anchor_.bytes)) {
  pairs_ = {anchor_.pair, kEscape};
  if (anchor_.holds_s) pairs_.push_back(kLongS);
  if (anchor_.holds_k) pairs_.push_back(kKelvin);
}

// Whether an escape may stand for a character of the anchor, for a character that
// spells an escape in a string inside a string, or for half of a surrogate pair.
bool Sieve::escape_may_match(std::string_view bytes, std::size_t escape) const {
  unsigned code = 0;
  const char* const digits = bytes.data() + escape + 2;
  if (bytes.size() - escape < 6) return true;
  const auto read = std::from_chars(digits, digits + 4, code, 16);
  if (read.ptr != digits + 4) return true;
  if (code >= 0xD800 && code <= 0xDFFF) return std::ranges::any_of(letters_, [](char32_t c) { return c > 0xFFFF; });
  if (letters_.find(fold_char(code)) != std::u32string::npos) return true;
  return code >= 0x20 && code < 0x7F && kOftenEscaped.find(code) == std::u32string_view::npos;
}

std::size_t Sieve::next(std::string_view bytes, std::size_t from) const {
  while (true) {
    const PairMatch place = find_pair(pairs_, bytes, from);
    if (place.at == std::string_view::npos) return place.at;
    from = place.at + 1;
    // find_pair reports the lowest pair if several match here.
    if (place.pair == 0) {
      if (place.at >= anchor_.first && anchor_.stands_at(bytes, place.at - anchor_.first)) return place.at;
      const std::string_view here = bytes.substr(place.at, 2);
      if (pairs_.size() > 2 && (here == "\xC5\xBF" || here == "\x84\xAA")) return place.at;
    }
    if (place.pair == 1 && escape_may_match(bytes, place.at)) return place.at;
    if (place.pair > 1) return place.at;
  }
}

std::optional<Sieves> Sieves::of(const std::vector<std::string>& literals, bool match_case) {
  Sieves sieves;
  for (const std::string& literal : literals) {
    auto one = Sieve::of(literal, match_case);
    if (!one) return std::nullopt;
    sieves.all_.push_back(std::move(*one));
  }
  if (sieves.all_.empty()) return std::nullopt;
  return sieves;
}

std::optional<Sieves> Sieves::all_of(const std::vector<std::optional<Sieves>>& each) {
  Sieves sieves;
  for (const auto& one : each) {
    if (!one) return std::nullopt;
    sieves.all_.insert(sieves.all_.end(), one->all_.begin(), one->all_.end());
  }
  return sieves;
}

bool Sieves::stand_in(std::string_view bytes) const {
  return std::ranges::any_of(all_, [&](const Sieve& one) { return one.next(bytes, 0) != std::string_view::npos; });
}

SieveScan::SieveScan(const Sieves& sieves, std::string_view bytes) : all_(sieves.all_), bytes_(bytes) {
  for (const Sieve& one : all_) found_.push_back(one.next(bytes_, 0));
}

std::size_t SieveScan::next(std::size_t from) {
  std::size_t nearest = std::string_view::npos;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (found_[i] < from) found_[i] = all_[i].next(bytes_, from);
    nearest = std::min(nearest, found_[i]);
  }
  return nearest;
}

}  // namespace holdfast::inline v1
