#include "sync/seal.h"

#include <sodium.h>

#include <array>

#include "base/id.h"

namespace holdfast::inline v1 {
namespace {

// Selects the code for this processor, and opens the source of randomness.
bool ready() {
  static const bool done = sodium_init() >= 0;
  return done;
}

const unsigned char* in(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }
unsigned char* out(std::string& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }

constexpr std::size_t kNonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t kTag = crypto_aead_xchacha20poly1305_ietf_ABYTES;
static_assert(crypto_sign_SEEDBYTES == kSecretBytes && crypto_sign_BYTES == kSignatureBytes);
static_assert(crypto_aead_xchacha20poly1305_ietf_KEYBYTES == kSecretBytes);

}  // namespace

std::string random_secret(std::size_t bytes) {
  (void)ready();
  std::string secret(bytes, '\0');
  randombytes_buf(secret.data(), secret.size());
  return secret;
}

SigningKey signing_key(std::string_view seed) {
  (void)ready();
  SigningKey key{std::string(seed), std::string(crypto_sign_PUBLICKEYBYTES, '\0')};
  key.seed.resize(kSecretBytes);
  std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret{};
  crypto_sign_seed_keypair(out(key.public_key), secret.data(), in(key.seed));
  sodium_memzero(secret.data(), secret.size());
  return key;
}

std::string sign(const SigningKey& key, std::string_view message) {
  (void)ready();
  std::string public_key(crypto_sign_PUBLICKEYBYTES, '\0'), signature(kSignatureBytes, '\0');
  std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret{};
  crypto_sign_seed_keypair(out(public_key), secret.data(), in(key.seed));
  crypto_sign_detached(out(signature), nullptr, in(message), message.size(), secret.data());
  sodium_memzero(secret.data(), secret.size());
  return signature;
}

bool is_signed(std::string_view public_key, std::string_view message, std::string_view signature) {
  if (!ready() || public_key.size() != crypto_sign_PUBLICKEYBYTES || signature.size() != kSignatureBytes) return false;
  return crypto_sign_verify_detached(in(signature), in(message), message.size(), in(public_key)) == 0;
}

std::string keyed_hash(std::string_view key, std::string_view message) {
  (void)ready();
  std::string hash(crypto_generichash_BYTES, '\0');
  crypto_generichash(out(hash), hash.size(), in(message), message.size(), in(key), key.size());
  return hash;
}

Result<std::string> code_to_compare(std::string_view text) {
  (void)ready();
  const std::string salt = keyed_hash("holdfast pair salt", text).substr(0, crypto_pwhash_SALTBYTES);
  std::array<unsigned char, crypto_pwhash_BYTES_MIN> hash{};
  if (crypto_pwhash(hash.data(), hash.size(), text.data(), text.size(), in(salt), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                    crypto_pwhash_MEMLIMIT_INTERACTIVE, crypto_pwhash_ALG_ARGON2ID13) != 0)
    return fail(Code::out_of_memory, "not enough memory for a code to compare");
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i) bits = bits << 8U | hash[i];
  std::string code = base32_letters(bits, 12);
  return code.insert(8, "-").insert(4, "-");
}

std::string seal(std::string_view key, std::string_view about, std::string_view plain) {
  std::string sealed = random_secret(kNonce);
  sealed.resize(kNonce + plain.size() + kTag);
  unsigned long long size = 0;
  crypto_aead_xchacha20poly1305_ietf_encrypt(out(sealed) + kNonce, &size, in(plain), plain.size(), in(about),
                                             about.size(), nullptr, in(sealed), in(key));
  sealed.resize(kNonce + static_cast<std::size_t>(size));
  return sealed;
}

Result<std::string> unseal(std::string_view key, std::string_view about, std::string_view sealed) {
  const auto refused = [] {
    return fail(Code::corrupt, "cannot be decrypted: the key is wrong, or the bytes were altered");
  };
  if (!ready() || key.size() != kSecretBytes || sealed.size() < kNonce + kTag) return refused();
  std::string plain(sealed.size() - kNonce - kTag, '\0');
  unsigned long long size = 0;
  const int opened =
      crypto_aead_xchacha20poly1305_ietf_decrypt(out(plain), &size, nullptr, in(sealed) + kNonce,
                                                 sealed.size() - kNonce, in(about), about.size(), in(sealed), in(key));
  if (opened != 0) return refused();
  return plain;
}

Result<std::string> seal_for(std::string_view public_key, std::string_view plain) {
  std::string theirs(crypto_box_PUBLICKEYBYTES, '\0'), sealed(plain.size() + crypto_box_SEALBYTES, '\0');
  if (!ready() || public_key.size() != crypto_sign_PUBLICKEYBYTES ||
      crypto_sign_ed25519_pk_to_curve25519(out(theirs), in(public_key)) != 0 ||
      crypto_box_seal(out(sealed), in(plain), plain.size(), in(theirs)) != 0)
    return fail(Code::corrupt, "not the public key of a device");
  return sealed;
}

Result<std::string> unseal_for(const SigningKey& key, std::string_view sealed) {
  const auto refused = [] {
    return fail(Code::corrupt, "cannot be opened: sealed for another device, or the bytes were altered");
  };
  if (!ready() || sealed.size() < crypto_box_SEALBYTES) return refused();
  std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret{};
  std::array<unsigned char, crypto_box_SECRETKEYBYTES> mine{};
  std::string public_key(crypto_sign_PUBLICKEYBYTES, '\0'), own(crypto_box_PUBLICKEYBYTES, '\0');
  std::string plain(sealed.size() - crypto_box_SEALBYTES, '\0');
  crypto_sign_seed_keypair(out(public_key), secret.data(), in(key.seed));
  const bool opened = crypto_sign_ed25519_sk_to_curve25519(mine.data(), secret.data()) == 0 &&
                      crypto_sign_ed25519_pk_to_curve25519(out(own), in(public_key)) == 0 &&
                      crypto_box_seal_open(out(plain), in(sealed), sealed.size(), in(own), mine.data()) == 0;
  sodium_memzero(secret.data(), secret.size());
  sodium_memzero(mine.data(), mine.size());
  if (!opened) return refused();
  return plain;
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) {
    hex += kDigits[static_cast<unsigned char>(byte) >> 4U];
    hex += kDigits[static_cast<unsigned char>(byte) & 15U];
  }
  return hex;
}

std::optional<std::string> from_hex(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

}  // namespace holdfast::inline v1
