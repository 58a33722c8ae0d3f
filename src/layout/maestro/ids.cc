#include "layout/maestro/ids.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/safe_name.h"
#include "layout/moment.h"

namespace holdfast::inline v1::maestro {

std::string new_id(std::string_view prefix, std::chrono::system_clock::time_point time, const Moment& moment) {
  using namespace std::chrono;
  const auto since = time.time_since_epoch();
  const auto milliseconds_part = static_cast<std::uint64_t>(duration_cast<milliseconds>(since).count());
  const auto microseconds_part = static_cast<std::uint64_t>(duration_cast<microseconds>(since).count() % 1000);
  const std::array<std::uint64_t, 2> bits = {milliseconds_part << 16 | 0x7000 | microseconds_part,
                                             (moment.entropy() & 0x3FFF'FFFF'FFFF'FFFF) | 0x8000'0000'0000'0000};
  std::string id = std::string(prefix) + "_";
  for (std::size_t digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) id += '-';
    id += "0123456789abcdef"[bits[digit / 16] >> (60 - 4 * (digit % 16)) & 15U];
  }
  return id;
}

bool is_new_id(std::string_view prefix, std::string_view id) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-7xxx-xxxx-xxxxxxxxxxxx";
  if (!id.starts_with(prefix) || !id.substr(prefix.size()).starts_with('_')) return false;
  return std::ranges::equal(id.substr(prefix.size() + 1), kForm, [](char given, char wanted) {
    return wanted == 'x' ? std::string_view("0123456789abcdef").contains(given) : given == wanted;
  });
}

Result<void> check_id(std::string_view what, std::string_view id) {
  if (is_plain_name(id)) return {};
  return fail(Code::unsafe_path, "not a valid id for " + std::string(what) + ": " + std::string(id));
}

}  // namespace holdfast::inline v1::maestro
