// Time as text, always UTC, never by the locale. Thread-safety: pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// "2026-11-15T03:15:00.042Z"; finer parts are cut, not rounded.
std::string iso8601(std::chrono::system_clock::time_point time);

// "2026-11-15T03:15:00Z" with 'T', 't' or ' ' between, up to 9 digits of a
// fraction, and Z, z or an offset (+01:00, +0100, +01). Nothing else, nothing
// around it, no impossible date. Second 60 is the next minute's first.
std::optional<std::chrono::system_clock::time_point> parse_iso8601(std::string_view text);

// "20261115T031500Z", for file names: sorts by time.
std::string compact_utc(std::chrono::system_clock::time_point time);

}  // namespace holdfast::inline v1
