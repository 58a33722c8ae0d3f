// Helpers for writing new sessions. Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "layout/moment.h"

namespace holdfast::inline v1 {

// A random UUID (version 4), and one that sorts by the time of `moment` (version 7).
std::string uuid4(const Moment& moment);
std::string uuid7(const Moment& moment);

// `count` random hex digits, at most 16.
std::string hex_digits(const Moment& moment, std::size_t count);

// The path with every UTF-16 unit that is not an ASCII letter or digit replaced by '-': "/srv/a_b" is "-srv-a-b".
std::string dashed_path(std::string_view path);
// The same, but a name over 200 characters is cut there and gets a hash of the whole path.
std::string dashed_path_max_200(std::string_view path);

// Converts ISO-8601 to milliseconds since 1970.
std::int64_t epoch_ms(std::string_view iso);

// "data:image/png;base64,…"
std::string data_url(const Block& image);

}  // namespace holdfast::inline v1
