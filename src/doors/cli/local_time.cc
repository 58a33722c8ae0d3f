#include "doors/cli/local_time.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "base/time.h"

namespace holdfast::inline v1 {
namespace {

bool local(std::string_view iso, std::tm& into) {
  // A date alone, or a number, is not a time.
  const auto moment = iso.size() >= 16 && iso[10] == 'T' ? parse_iso8601(iso) : std::nullopt;
  if (!moment) return false;
  const std::time_t seconds = std::chrono::system_clock::to_time_t(*moment);
  return ::localtime_r(&seconds, &into) != nullptr;
}

}  // namespace

std::string local_time(std::string_view iso) {
  std::tm at{};
  if (!local(iso, at)) return std::string(iso);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", at.tm_year + 1900, at.tm_mon + 1, at.tm_mday, at.tm_hour,
                     at.tm_min);
}

std::string local_day(std::string_view iso) { return local_time(iso).substr(0, 10); }

bool is_time_field(std::string_view field) {
  constexpr std::array<std::string_view, 7> kNames = {"timestamp", "newest",       "oldest",     "started",
                                                      "ended",     "last_updated", "lastUpdated"};
  return field.ends_with("_at") || field.ends_with("At") || std::ranges::find(kNames, field) != kNames.end();
}

}  // namespace holdfast::inline v1
