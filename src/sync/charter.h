// What a remote says of itself, and the key of an encrypted one. docs/formats/sync.md.
// Thread-safety: plain values, pure functions.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::size_t kPhraseBytes = 16;

struct Charter {
  std::string id;  // 32 hex digits
  std::string made_at;
  bool encrypt = false;
  std::string check = {};  // with encrypt
};

std::string write_charter(const Charter& charter);
// corrupt; newer_schema.
Result<Charter> read_charter(std::string_view text);

// "k7f3-9qtz-…", for people to write down.
std::string recovery_phrase(std::string_view secret);
// The 16 bytes; letters that are easily mistaken (O for 0, I and L for 1) count as meant. invalid_argument: a letter is
// wrong or missing.
Result<std::string> read_recovery_phrase(std::string_view text);

// The key of that remote, and how a right one is known.
std::string remote_key(std::string_view secret, std::string_view remote);
std::string key_check(std::string_view key, std::string_view remote);
// What a later key is called: 32 hex digits, which only this key has.
std::string key_id(std::string_view key, std::string_view remote);

}  // namespace holdfast::inline v1
