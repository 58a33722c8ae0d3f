#include "base/hash.h"

// The one-shot and EVP calls of OpenSSL 3 look up a provider, allocate, and can
// fail (no memory, an unusual openssl.cnf); the low-level calls do none of that.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
// Inlined, because the size of the state may differ between versions of the library.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <span>

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string to_hex(std::span<const unsigned char> bytes) {
  return hex_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string to_hex(XXH128_hash_t hash) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  return to_hex(canonical.digest);
}

}  // namespace

std::string xxh3_hex(std::string_view bytes) { return to_hex(XXH3_128bits(bytes.data(), bytes.size())); }

std::uint64_t xxh3_64(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

struct Xxh3Stream::State {
  XXH3_state_t xxh;
};

Xxh3Stream::Xxh3Stream() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh); }
Xxh3Stream::Xxh3Stream(Xxh3Stream&&) noexcept = default;
Xxh3Stream& Xxh3Stream::operator=(Xxh3Stream&&) noexcept = default;
Xxh3Stream::~Xxh3Stream() = default;

void Xxh3Stream::add(std::string_view bytes) {
  if (!bytes.empty()) XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

std::string Xxh3Stream::hex() const { return to_hex(XXH3_128bits_digest(&state_->xxh)); }

std::string sha256_hex(std::string_view bytes) {
  SHA256_CTX context;
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256_Init(&context);
  SHA256_Update(&context, bytes.data(), bytes.size());
  SHA256_Final(digest, &context);
  return to_hex(digest);
}

bool is_sha256_hex(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of(kHexDigits) == std::string_view::npos;
}

std::string hex_of(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out.push_back(kHexDigits[byte >> 4U]);
    out.push_back(kHexDigits[byte & 15U]);
  }
  return out;
}

}  // namespace holdfast::inline v1
