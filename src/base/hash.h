// Digests and checksums. XXH3 detects accidental changes, SHA-256 identifies
// contents and resists attackers, CRC-32C protects single records.
// Thread-safety: pure functions; a stream is for one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// XXH3-128 as 32 lower-case hex digits, as `xxh128sum` prints it.
std::string xxh3_hex(std::string_view bytes);

// XXH3-64. The same on every machine and in every version, so it may be stored in files.
std::uint64_t xxh3_64(std::string_view bytes, std::uint64_t seed = 0);

// Computes xxh3_hex of bytes that arrive in pieces. A moved-from stream may only be destroyed or assigned.
class Xxh3Stream {
 public:
  Xxh3Stream();
  Xxh3Stream(Xxh3Stream&&) noexcept;
  Xxh3Stream& operator=(Xxh3Stream&&) noexcept;
  ~Xxh3Stream();

  void add(std::string_view bytes);
  std::string hex() const;  // the digest of everything added so far; more may be added

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// 64 lower-case hex digits. Cannot fail.
std::string sha256_hex(std::string_view bytes);
// Whether it could be one.
bool is_sha256_hex(std::string_view text);

// Two lower-case digits for each byte.
std::string hex_of(std::string_view bytes);

// CRC-32C (Castagnoli). Pieces chain: crc32c(b, crc32c(a)) == crc32c(a + b).
std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed = 0);

// The same without the processor's CRC instruction, for machines that lack it and for tests.
std::uint32_t crc32c_portable(std::string_view bytes, std::uint32_t seed = 0);

}  // namespace holdfast::inline v1
