// Packs values for derived files (docs/formats/index.md): little-endian varints and length-prefixed
// strings. Unpacking never reads out of bounds; check ok() or done() at the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

class Packer {
 public:
  void number(std::uint64_t value) {
    while (value >= 0x80) {
      bytes_ += static_cast<char>(value | 0x80);
      value >>= 7;
    }
    bytes_ += static_cast<char>(value);
  }
  void signed_number(std::int64_t value) {
    number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void text(std::string_view text) {
    number(text.size());
    bytes_ += text;
  }
  // Writes a text that is often part of an earlier one: once in full, then as its place.
  void shared_text(std::string_view text) {
    const std::size_t at = text.size() < kShortestShared ? std::string::npos : bytes_.find(text);
    number(text.size() << 1 | (at == std::string::npos ? 0 : 1));
    at == std::string::npos ? void(bytes_ += text) : number(at);
  }
  void byte(std::uint8_t value) { bytes_ += static_cast<char>(value); }
  void fixed(std::uint64_t value) {
    for (unsigned shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(value >> shift);
  }
  std::string take() { return std::move(bytes_); }

 private:
  static constexpr std::size_t kShortestShared = 8;  // a place takes up to three bytes

  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : all_(bytes), rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  std::string text() { return std::string(view()); }
  std::uint8_t byte() {
    if (rest_.empty()) {
      ok_ = false;
      return 0;
    }
    const auto value = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  std::uint64_t fixed() {
    if (rest_.size() < 8) {
      reject();
      return 0;
    }
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[i])) << 8 * i;
    rest_.remove_prefix(8);
    return value;
  }
  // The next text, as a view into the bytes.
  std::string_view view() { return next(number()); }
  // The same for a text that shared_text() wrote.
  std::string_view shared_view() {
    const std::uint64_t mark = number(), size = mark >> 1;
    if ((mark & 1) == 0) return next(size);
    const std::uint64_t at = number(), read = all_.size() - rest_.size();
    if (at > read || size > read - at) {
      reject();
      return {};
    }
    return all_.substr(at, size);
  }
  void reject() {
    ok_ = false;
    rest_ = {};
  }
  std::size_t left() const { return rest_.size(); }
  bool ok() const { return ok_; }
  bool done() const { return ok_ && rest_.empty(); }

 private:
  std::string_view next(std::uint64_t size) {
    if (size > rest_.size()) {
      reject();
      return {};
    }
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }

  std::string_view all_, rest_;
  bool ok_ = true;
};

}  // namespace holdfast::inline v1
