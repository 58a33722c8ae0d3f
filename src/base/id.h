// Short ids that people can read out: lower case, without i l o u.
// Thread-safety: pure functions; the randomness comes from the caller
// (FileSystem::entropy), so that tests repeat.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::size_t kMaxIdLetters = 13;  // 64 bits; the 13th letter carries the last 4

// `count` letters (at most 13 are given) of 5 bits each, the lowest bits first.
std::string base32_letters(std::uint64_t random, std::size_t count);

// make_id("ses", r) is "ses_k7f3". Who meets a name that is taken asks again with more letters.
std::string make_id(std::string_view prefix, std::uint64_t random, std::size_t letters = 4);

}  // namespace holdfast::inline v1
