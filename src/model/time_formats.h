// Parses and formats times in several notations. Thread-safety: pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// ISO-8601 as base/time.h reads it, or a number, also with a fraction: epoch seconds below
// 9.2 * 10^9, milliseconds below 9.2 * 10^12, microseconds below 9.2 * 10^15 (the year 2261).
// nullopt for anything else.
std::optional<std::chrono::system_clock::time_point> parse_any_time(std::string_view written);

// The contract's format, "2026-11-15T03:15:00.042Z"; empty if it is not a time.
std::string to_iso_time(std::string_view written);
// Whether it is a time in that format already: to_iso_time returns the same text.
bool is_iso_time(std::string_view written);

// The quarter hour of such a time, "2026-11-15T03:15"; if the time has no minutes, as much as there is.
std::string quarter_of(std::string_view iso);

// "2026-11-15T03:15:00.042007Z": with microseconds.
std::string iso_micros(std::chrono::system_clock::time_point time);

// Returns `now`, or a microsecond after `previous` (as written) if the clock
// does not show a later time: successive stamps always ascend.
std::chrono::system_clock::time_point next_stamp(std::string_view previous, std::chrono::system_clock::time_point now);

// The format of .NET: "2026-11-15T03:15:00.1234567+00:00", without trailing zeros in the fraction.
std::string format_dotnet_time(std::chrono::system_clock::time_point time);

}  // namespace holdfast::inline v1
