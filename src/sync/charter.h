// The charter of a remote, which describes it, and the key of an encrypted one.
// docs/formats/sync.md. Thread-safety: plain values, pure functions.
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
  std::string check = {};  // only if encrypt
};

std::string write_charter(const Charter& charter);
// Fails with corrupt, or with sync_transport_failed if only a newer version may use the remote.
Result<Charter> read_charter(std::string_view text);

// "k7f3-9qtz-…", for people to write down.
std::string recovery_phrase(std::string_view secret);
// Returns the 16 bytes. Accepts letters that are easily confused (O for 0, I and L for 1). Fails with
// invalid_argument if a letter is wrong or missing.
Result<std::string> read_recovery_phrase(std::string_view text);

// The key of the remote, and the value in the charter by which the right key is recognized.
std::string remote_key(std::string_view secret, std::string_view remote);
std::string key_check(std::string_view key, std::string_view remote);
// The id of a later key: 32 hex digits, unique to the key.
std::string key_id(std::string_view key, std::string_view remote);

}  // namespace holdfast::inline v1
