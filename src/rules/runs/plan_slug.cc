#include <algorithm>
#include <cstdint>

#include "rules/runs/plans.h"

namespace holdfast::inline v1 {
namespace {

struct Range {
  std::uint32_t from, to;
};
// Non-ASCII signs, punctuation and pictures, which separate words. Everything else
// counts as a letter; a table of all scripts would add little.
constexpr Range kSigns[] = {{0x80, 0xA9},     {0xAB, 0xB4},      {0xB6, 0xB9},     {0xBB, 0xBF},     {0xD7, 0xD7},
                            {0xF7, 0xF7},     {0x2000, 0x2BFF},  {0x2E00, 0x2E7F}, {0x3000, 0x3004}, {0x3008, 0x3020},
                            {0x3030, 0x3030}, {0xE000, 0xF8FF},  {0xFE00, 0xFE6F}, {0xFF00, 0xFF0F}, {0xFF1A, 0xFF20},
                            {0xFFF0, 0xFFFF}, {0x1F000, 0x1FFFF}};

bool is_letter(std::uint32_t point) {
  if (point < 0x80) {
    return (point >= '0' && point <= '9') || (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z');
  }
  return std::ranges::none_of(kSigns, [&](const Range& range) { return point >= range.from && point <= range.to; });
}

// Returns the code point at the front, and its length; a broken byte is not a letter.
std::uint32_t point_at(std::string_view text, std::size_t& length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  if (length == 1 || length > text.size()) {
    length = 1;
    return first < 0x80 ? first : 0x80;
  }
  std::uint32_t point = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) point = (point << 6) | (byte(i) & 0x3Fu);
  return point;
}

}  // namespace

std::string plan_slug(std::string_view summary, bool ascii) {
  constexpr std::size_t kWords = 5, kLongest = 100;
  std::string slug;
  std::size_t words = 0;
  bool inside = false;
  for (std::size_t at = 0, length = 1; at < summary.size(); at += length) {
    const std::uint32_t point = point_at(summary.substr(at), length);
    if (!is_letter(point) || (ascii && point >= 0x80)) {
      inside = false;
      continue;
    }
    if (!inside && ++words > kWords) break;
    if (slug.size() + length > kLongest) break;
    if (!inside && !slug.empty()) slug += '-';
    inside = true;
    if (point >= 'A' && point <= 'Z') {
      slug += static_cast<char>(point - 'A' + 'a');
    } else {
      slug += summary.substr(at, length);
    }
  }
  return slug.empty() ? "plan" : slug;
}

}  // namespace holdfast::inline v1
