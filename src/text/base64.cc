#include "text/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 64;

constexpr std::array<std::uint8_t, 256> values() {
  std::array<std::uint8_t, 256> all{};
  all.fill(kNoDigit);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    all[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
  return all;
}
constexpr auto kValues = values();

std::uint32_t value_of(char digit) { return kValues[static_cast<unsigned char>(digit)]; }

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) bits = bits << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) text += i <= count ? kDigits[bits >> (18 - 6 * i) & 63U] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const std::size_t digits = at + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t value = i < digits ? value_of(text[at + i]) : 0;
      if (value == kNoDigit) return std::nullopt;
      bits = bits << 6 | value;
    }
    // Bits of the last digit beyond the last byte must be zero.
    if ((digits == 3 && (bits & 0xFFU) != 0) || (digits == 2 && (bits & 0xFFFFU) != 0)) return std::nullopt;
    for (std::size_t i = 0; i + 1 < digits; ++i) bytes += static_cast<char>(bits >> (16 - 8 * i) & 0xFFU);
  }
  return bytes;
}

std::uint64_t base64_size(std::string_view text) {
  constexpr std::size_t kEnd = 16;
  if (text.empty() || text.size() % 4 != 0) return 0;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  const std::string_view digits = text.substr(0, text.size() - padding);
  const auto is_digit = [](char letter) { return value_of(letter) != kNoDigit; };
  if (!std::ranges::all_of(digits.substr(0, kEnd), is_digit) ||
      !std::ranges::all_of(digits.substr(digits.size() - std::min(kEnd, digits.size())), is_digit))
    return 0;
  return text.size() / 4 * 3 - padding;
}

}  // namespace holdfast::inline v1
