// Time as text, always UTC, independent of the locale. Thread-safety: pure functions.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// "2026-11-15T03:15:00.042Z"; truncated to milliseconds, not rounded.
std::string iso8601(std::chrono::system_clock::time_point time);

// Parses "2026-11-15T03:15:00Z" with 'T', 't' or ' ' between, up to 9 digits of a
// fraction, and Z, z or an offset (+01:00, +0100, +01). Returns nullopt for anything
// else, also for impossible dates. Second 60 is the first of the next minute.
std::optional<std::chrono::system_clock::time_point> parse_iso8601(std::string_view text);

// Time since 1970, as files and logs of agents have it.
constexpr std::int64_t unix_ns(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}
constexpr std::int64_t unix_ms(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

// "20261115T031500Z", for file names: sorts by time.
std::string compact_utc(std::chrono::system_clock::time_point time);

}  // namespace holdfast::inline v1
