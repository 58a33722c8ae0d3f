// Signatures, keyed hashes and encryption of what machines share; the only file that uses libsodium. Ed25519,
// BLAKE2b-256, XChaCha20-Poly1305. Secrets are plain strings and must never be printed. Thread-safety: pure
// functions.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::size_t kSecretBytes = 32;
inline constexpr std::size_t kSignatureBytes = 64;

// Random bytes that nobody can guess.
std::string random_secret(std::size_t bytes);

struct SigningKey {
  std::string seed;        // 32 bytes, secret
  std::string public_key;  // 32 bytes
};
SigningKey signing_key(std::string_view seed);
std::string sign(const SigningKey& key, std::string_view message);
bool is_signed(std::string_view public_key, std::string_view message, std::string_view signature);

// 32 bytes. The key has 16 to 64 bytes.
std::string keyed_hash(std::string_view key, std::string_view message);

// 12 letters in three groups for people to compare on two screens. Slow (Argon2id), so nobody can try keys
// until two codes match. Fails with out_of_memory.
Result<std::string> code_to_compare(std::string_view text);

// Returns a random nonce and the encrypted bytes. `about` is not included and must be the same to open them.
std::string seal(std::string_view key, std::string_view about, std::string_view plain);
// Fails with corrupt if the key, `about` or the bytes differ.
Result<std::string> unseal(std::string_view key, std::string_view about, std::string_view sealed);

// Encrypts for the holder of a signing key, by X25519 from the same seed. The result does not reveal who made
// it. Fails with corrupt if `public_key` is not a public key.
Result<std::string> seal_for(std::string_view public_key, std::string_view plain);
// Fails with corrupt if it was sealed for another key or the bytes differ.
Result<std::string> unseal_for(const SigningKey& key, std::string_view sealed);

std::string to_hex(std::string_view bytes);
// nullopt unless `text` is pairs of lower-case hex digits.
std::optional<std::string> from_hex(std::string_view text);

}  // namespace holdfast::inline v1
