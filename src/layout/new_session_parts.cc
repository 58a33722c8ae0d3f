#include "layout/new_session_parts.h"

#include <array>
#include <chrono>

#include "base/time.h"
#include "base/utf8.h"
#include "model/time_formats.h"
#include "text/base64.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

std::string as_uuid(std::array<std::uint64_t, 2> bits, std::uint64_t version) {
  bits[0] = (bits[0] & ~std::uint64_t{0xF000}) | version << 12U;
  bits[1] = (bits[1] & ~(std::uint64_t{3} << 62U)) | std::uint64_t{2} << 62U;
  std::string uuid;
  for (std::size_t digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) uuid += '-';
    uuid += kDigits[bits[digit / 16] >> (60 - 4 * (digit % 16)) & 15U];
  }
  return uuid;
}

// Calls `take` with each UTF-16 unit.
template <typename Take>
void each_unit(std::string_view text, const Take& take) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const auto first = static_cast<unsigned char>(text[at]);
    if (length < 2) {
      take(length == 0 ? std::uint32_t{0xFFFD} : std::uint32_t{first});
      ++at;
      continue;
    }
    std::uint32_t scalar = first & (0xFFU >> (length + 1));
    for (std::size_t n = 1; n < length; ++n) scalar = scalar << 6U | (static_cast<unsigned char>(text[at + n]) & 0x3FU);
    at += length;
    if (scalar >= 0x10000) {
      take(0xD800 + ((scalar - 0x10000) >> 10U));
      take(0xDC00 + ((scalar - 0x10000) & 0x3FFU));
    } else {
      take(scalar);
    }
  }
}

bool is_kept(std::uint32_t unit) {
  return (unit >= 'a' && unit <= 'z') || (unit >= 'A' && unit <= 'Z') || (unit >= '0' && unit <= '9');
}

// The absolute value of Java's string hash, in base 36.
std::string java_hash(std::string_view text) {
  std::uint32_t hash = 0;
  each_unit(text, [&](std::uint32_t unit) { hash = hash * 31 + unit; });
  std::uint32_t left = hash > 0x7FFFFFFFU ? ~hash + 1 : hash;
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdefghijklmnopqrstuvwxyz"[left % 36]);
    left /= 36;
  } while (left != 0);
  return digits;
}

}  // namespace

std::string uuid4(const Moment& moment) { return as_uuid({moment.entropy(), moment.entropy()}, 4); }

std::string uuid7(const Moment& moment) {
  return as_uuid(
      {static_cast<std::uint64_t>(unix_ms(moment.now)) << 16U | (moment.entropy() & 0xFFFU), moment.entropy()}, 7);
}

std::string hex_digits(const Moment& moment, std::size_t count) {
  const std::uint64_t random = moment.entropy();
  std::string digits;
  for (std::size_t n = 0; n < count && n < 16; ++n) digits += kDigits[random >> (4 * n) & 15U];
  return digits;
}

std::string dashed_path(std::string_view path) {
  std::string name;
  each_unit(path, [&](std::uint32_t unit) { name += is_kept(unit) ? static_cast<char>(unit) : '-'; });
  return name;
}

std::string dashed_path_max_200(std::string_view path) {
  constexpr std::size_t kMost = 200;
  std::string name = dashed_path(path);
  if (name.size() <= kMost) return name;
  name.resize(kMost);
  return name + "-" + java_hash(path);
}

std::int64_t epoch_ms(std::string_view iso) {
  const auto time = parse_any_time(iso);
  return time ? unix_ms(*time) : 0;
}

std::string data_url(const Block& image) { return "data:" + image.media_type + ";base64," + base64(image.data); }

}  // namespace holdfast::inline v1
