// Signatures, keyed hashes and encryption of what is shared between machines: the only file that knows libsodium.
// Ed25519, BLAKE2b-256, XChaCha20-Poly1305. Secrets are plain strings that nobody prints.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::size_t kSecretBytes = 32;
inline constexpr std::size_t kSignatureBytes = 64;

// Bytes that nobody can guess.
std::string random_secret(std::size_t bytes);

struct SigningKey {
  std::string seed;        // 32 bytes, secret
  std::string public_key;  // 32 bytes
};
SigningKey signing_key(std::string_view seed);
std::string sign(const SigningKey& key, std::string_view message);
bool is_signed(std::string_view public_key, std::string_view message, std::string_view signature);

// 32 bytes. The key has 16 to 64.
std::string keyed_hash(std::string_view key, std::string_view message);

// 12 letters in three groups for people to compare on two screens. Slow to make (Argon2id), so that nobody tries out
// keys until two codes are alike. out_of_memory.
Result<std::string> code_to_compare(std::string_view text);

// A random nonce and what it encrypts; `about` is not in it and must be the same to open it.
std::string seal(std::string_view key, std::string_view about, std::string_view plain);
// corrupt: another key, another `about`, or other bytes.
Result<std::string> unseal(std::string_view key, std::string_view about, std::string_view sealed);

// For the holder of one signing key, by X25519 of the same seed: what was sealed says nothing of who did it. corrupt:
// no public key.
Result<std::string> seal_for(std::string_view public_key, std::string_view plain);
// corrupt: sealed for another, or other bytes.
Result<std::string> unseal_for(const SigningKey& key, std::string_view sealed);

std::string to_hex(std::string_view bytes);
// nullopt: not lower-case hex digits in pairs.
std::optional<std::string> from_hex(std::string_view text);

}  // namespace holdfast::inline v1
