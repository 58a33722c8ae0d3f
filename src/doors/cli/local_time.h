// Times as people read them: local, as TZ says. Programs get UTC, in JSON.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// "2026-11-15 01:06" of an ISO-8601 time; what is none as it is.
std::string local_time(std::string_view iso);
// "2026-11-15" of it.
std::string local_day(std::string_view iso);

// Whether a field of that name holds a time: updated_at, timestamp, createdAt.
bool names_a_time(std::string_view field);

}  // namespace holdfast::inline v1
