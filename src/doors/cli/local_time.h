// Times for people: local, according to TZ. Programs get UTC in JSON.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// "2026-11-15 01:06" for an ISO-8601 time; any other text unchanged.
std::string local_time(std::string_view iso);
// "2026-11-15", likewise.
std::string local_day(std::string_view iso);

// Whether a field with that name contains a time: updated_at, timestamp, createdAt.
bool is_time_field(std::string_view field);

}  // namespace holdfast::inline v1
