// A piece of what is looked for that stands in the bytes of a text as it is, but
// for the case of ASCII letters: the part of a search that looks at raw bytes.
// Thread-safety: constant once made.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/byte_scan.h"

namespace holdfast::inline v1 {

struct Anchor {
  std::string bytes = {};  // small letters where case does not matter
  std::string masks = {};  // 0x20 where it does not, else 0
  std::size_t first = 0;   // the offset of the pair in `bytes`
  BytePair pair = {};
  bool holds_s = false, holds_k = false;  // a long s or a Kelvin sign could stand for one of them

  // `literal` is folded text unless `match_case`. nullopt when less than two bytes would be sure.
  // `json`: only what no JSON writer spells with a backslash and another letter.
  static std::optional<Anchor> of(std::string_view literal, bool match_case, bool json);

  bool stands_at(std::string_view text, std::size_t at) const;
};

// How often a byte stands in logs of agents, roughly: 0 is rare. English, code and JSON.
int commonness(unsigned char byte);

// What a text may hold instead of "s" and "k" (U+017F, U+212A), as pairs.
inline constexpr BytePair kLongS = {0xC5, 0, 0xBF, 0, 1};
inline constexpr BytePair kKelvin = {0x84, 0, 0xAA, 0, 1};

}  // namespace holdfast::inline v1
