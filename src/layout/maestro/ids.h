// Ids and times of new records. Thread-safety: pure functions.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "layout/layout.h"
#include "layout/moment.h"

namespace holdfast::inline v1::maestro {

// "msg_" and a UUID of version 7 that begins with the time in microseconds: of two
// messages with the same createdAt, the one written later has the greater id.
std::string new_id(std::string_view prefix, std::chrono::system_clock::time_point time, const Moment& moment);

// Whether the id has the form of a new_id.
bool is_new_id(std::string_view prefix, std::string_view id);

// Fails with unsafe_path unless the name may be part of a path in this layout.
Result<void> check_id(std::string_view what, std::string_view id);

}  // namespace holdfast::inline v1::maestro
