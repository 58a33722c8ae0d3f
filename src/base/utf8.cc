#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;

bool is_tail(unsigned char byte) { return (byte & 0xC0) == 0x80; }

std::size_t skip_ascii(std::string_view text, std::size_t at) {
  while (text.size() - at >= 32) {
    std::uint64_t words[4];
    std::memcpy(words, text.data() + at, sizeof words);
    if (((words[0] | words[1] | words[2] | words[3]) & kHighBits) != 0) break;
    at += sizeof words;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data()) + at;
  const std::size_t left = text.size() - at;
  const unsigned char first = bytes[0];
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  if (left < 2 || !is_tail(bytes[1])) return 0;
  if (first < 0xE0) return 2;
  if (left < 3 || !is_tail(bytes[2])) return 0;
  if (first < 0xF0) {
    const bool overlong = first == 0xE0 && bytes[1] < 0xA0;
    const bool surrogate = first == 0xED && bytes[1] > 0x9F;
    return overlong || surrogate ? 0 : 3;
  }
  if (left < 4 || !is_tail(bytes[3])) return 0;
  const bool overlong = first == 0xF0 && bytes[1] < 0x90;
  const bool beyond = first == 0xF4 && bytes[1] > 0x8F;
  return overlong || beyond ? 0 : 4;
}

std::size_t utf8_fault_scalar(std::string_view text) {
  for (std::size_t at = skip_ascii(text, 0); at < text.size(); at = skip_ascii(text, at)) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

void append_utf8(std::string& out, char32_t scalar) {
  if (scalar > 0x10FFFF || (scalar >= 0xD800 && scalar <= 0xDFFF)) scalar = 0xFFFD;
  const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (scalar < 0x80) return put(scalar);
  if (scalar < 0x800) {
    put(0xC0 | (scalar >> 6));
  } else {
    if (scalar < 0x10000) {
      put(0xE0 | (scalar >> 12));
    } else {
      put(0xF0 | (scalar >> 18));
      put(0x80 | ((scalar >> 12) & 0x3F));
    }
    put(0x80 | ((scalar >> 6) & 0x3F));
  }
  put(0x80 | (scalar & 0x3F));
}

void append_clean_utf8(std::string& out, std::string_view text) {
  for (;;) {
    const std::size_t bad = utf8_fault_scalar(text);
    out.append(text.substr(0, bad));
    if (bad == std::string_view::npos) return;
    append_utf8(out, 0xFFFD);
    text.remove_prefix(bad + 1);
  }
}

}  // namespace holdfast::inline v1
