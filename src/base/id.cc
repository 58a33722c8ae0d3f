#include "base/id.h"

#include <algorithm>

namespace holdfast::inline v1 {

std::string base32_letters(std::uint64_t random, std::size_t count) {
  constexpr char kAlphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";
  std::string out(std::min(count, kMaxIdLetters), '0');
  for (char& letter : out) {
    letter = kAlphabet[random & 31];
    random >>= 5;
  }
  return out;
}

std::string make_id(std::string_view prefix, std::uint64_t random, std::size_t letters) {
  return std::string(prefix).append("_").append(base32_letters(random, letters));
}

}  // namespace holdfast::inline v1
