// Short ids that people can read aloud: lower case, without i l o u.
// Thread-safety: pure functions; the caller passes the random bits
// (FileSystem::entropy), which makes tests repeatable.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::size_t kMaxIdLetters = 13;  // 64 bits; the 13th letter carries the last 4

// Returns `count` letters (at most 13) of 5 bits each, the lowest bits first.
std::string base32_letters(std::uint64_t random, std::size_t count);

// make_id("ses", r) is "ses_k7f3". If the id is already in use, callers try again with more letters.
std::string make_id(std::string_view prefix, std::uint64_t random, std::size_t letters = 4);

}  // namespace holdfast::inline v1
