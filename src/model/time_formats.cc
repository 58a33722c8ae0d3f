#include "model/time_formats.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/time.h"

namespace holdfast::inline v1 {

namespace {

// All of the text as a number.
template <typename Number>
std::optional<Number> whole_number(std::string_view written) {
  Number number = 0;
  const char* const end = written.data() + written.size();
  const auto [stop, fault] = std::from_chars(written.data(), end, number);
  return fault == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

// How many microseconds the unit of such a number has; 0 if it is not a time. Each limit is what a clock of 64-bit
// nanoseconds can hold: the year 2261.
template <typename Number>
std::int64_t micros_per_unit(Number number) {
  if (!(number >= 0)) return 0;
  if (number < Number(9'200'000'000)) return 1'000'000;
  if (number < Number(9'200'000'000'000)) return 1'000;
  return number < Number(9'200'000'000'000'000) ? 1 : 0;
}

}  // namespace

std::optional<std::chrono::system_clock::time_point> parse_any_time(std::string_view written) {
  using std::chrono::system_clock;
  if (written.empty()) return std::nullopt;
  std::int64_t unit = 0, since = 0;
  if (const auto number = whole_number<std::int64_t>(written)) {
    unit = micros_per_unit(*number);
    since = *number * unit;
  } else if (const auto fraction = whole_number<double>(written)) {
    unit = micros_per_unit(*fraction);
    since = unit == 0 ? 0 : std::llround(*fraction * static_cast<double>(unit));
  } else {
    return parse_iso8601(written);
  }
  if (unit == 0) return std::nullopt;
  return system_clock::time_point(std::chrono::duration_cast<system_clock::duration>(std::chrono::microseconds(since)));
}

bool is_iso_time(std::string_view written) {
  using Words = std::array<std::uint64_t, 3>;
  constexpr auto kForm = std::to_array("0000-00-00T00:00:00.000Z");
  constexpr auto words_of = [](const auto& text, auto&& byte_of) {
    std::array<unsigned char, sizeof(Words)> bytes{};
    for (std::size_t at = 0; at < bytes.size(); ++at) bytes[at] = byte_of(text[at]);
    return std::bit_cast<Words>(bytes);
  };
  constexpr Words kWords = words_of(kForm, [](char byte) { return static_cast<unsigned char>(byte); });
  constexpr Words kFixed = words_of(kForm, [](char byte) -> unsigned char { return byte == '0' ? 0 : 0xFF; });
  constexpr std::uint64_t kEach = 0x0101010101010101U;
  if (written.size() != sizeof(Words)) return false;
  Words words;
  std::memcpy(words.data(), written.data(), sizeof words);
  std::uint64_t odd = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t other = words[i] ^ kWords[i];  // the value of a digit; 0 where the form is fixed
    odd |= (other & kFixed[i]) | ((other | (other + kEach * (0x80 - 10))) & kEach * 0x80);
  }
  if (odd != 0) return false;
  const auto two = [&](std::size_t at) { return (written[at] - '0') * 10 + (written[at + 1] - '0'); };
  const std::chrono::year year(two(0) * 100 + two(2));
  // The first and the last year of a clock of 64-bit nanoseconds are not whole.
  return year > std::chrono::year(1677) && year < std::chrono::year(2262) && (year / two(5) / two(8)).ok() &&
         two(11) < 24 && two(14) < 60 && two(17) < 60;
}

std::string to_iso_time(std::string_view written) {
  if (is_iso_time(written)) return std::string(written);
  const auto time = parse_any_time(written);
  return time ? iso8601(*time) : std::string();
}

std::string quarter_of(std::string_view iso) {
  if (iso.size() < 16) return std::string(iso);
  constexpr std::string_view kQuarters[] = {"00", "15", "30", "45"};
  const int minutes = (iso[14] - '0') * 10 + (iso[15] - '0');
  return std::string(iso.substr(0, 14)) + std::string(kQuarters[std::clamp(minutes / 15, 0, 3)]);
}

std::string iso_micros(std::chrono::system_clock::time_point time) {
  std::string text = iso8601(time);
  const auto since = std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch()).count();
  const std::string part = std::to_string((since % 1000 + 1000) % 1000);
  text.insert(text.size() - 1, std::string(3 - part.size(), '0') + part);
  return text;
}

std::chrono::system_clock::time_point next_stamp(std::string_view previous, std::chrono::system_clock::time_point now) {
  const auto before = parse_any_time(previous);
  now = std::chrono::floor<std::chrono::microseconds>(now);
  if (!before || now > *before) return now;
  return std::chrono::floor<std::chrono::microseconds>(*before) + std::chrono::microseconds(1);
}

std::string format_dotnet_time(std::chrono::system_clock::time_point time) {
  const auto second = std::chrono::floor<std::chrono::seconds>(time);
  std::string text = iso8601(second).substr(0, 19);
  auto ticks = std::chrono::duration_cast<std::chrono::nanoseconds>(time - second).count() / 100;
  if (ticks != 0) {
    std::string digits = std::to_string(10'000'000 + ticks);
    digits.erase(digits.find_last_not_of('0') + 1);
    text += "." + digits.substr(1);
  }
  return text + "+00:00";
}

}  // namespace holdfast::inline v1
