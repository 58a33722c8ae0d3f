// A piece of the search term that occurs in the bytes of a text unchanged, except for
// the case of ASCII letters: the part of a search that works on raw bytes.
// Thread-safety: constant once made.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/byte_scan.h"

namespace holdfast::inline v1 {

struct Anchor {
  std::string bytes = {};  // lower case where case is ignored
  std::string masks = {};  // 0x20 where case is ignored, else 0
  std::size_t first = 0;   // offset of the pair in `bytes`
  BytePair pair = {};
  bool holds_s = false, holds_k = false;  // a long s or a Kelvin sign could replace one of them

  // `literal` is folded text unless `match_case`. Returns nullopt if fewer than two bytes have a fixed
  // spelling. With `json`, leaves out characters that a JSON writer may spell as a backslash and a letter.
  static std::optional<Anchor> of(std::string_view literal, bool match_case, bool json);

  bool stands_at(std::string_view text, std::size_t at) const;
};

// Returns roughly how often a byte occurs in agents' logs (English, code and JSON); 0 is rare.
int byte_frequency(unsigned char byte);

// What a text may contain instead of "s" and "k" (U+017F, U+212A), as pairs.
inline constexpr BytePair kLongS = {0xC5, 0, 0xBF, 0, 1};
inline constexpr BytePair kKelvin = {0x84, 0, 0xAA, 0, 1};

}  // namespace holdfast::inline v1
