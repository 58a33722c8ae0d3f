// Small things that the spellings of new sessions share. Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "layout/moment.h"

namespace holdfast::inline v1 {

// A random UUID, and one that sorts by the time of `moment`.
std::string uuid4(const Moment& moment);
std::string uuid7(const Moment& moment);

// So many random hex digits, at most 16.
std::string hex_digits(const Moment& moment, std::size_t count);

// Every UTF-16 unit of the path that is no letter or digit of ASCII is '-': "/srv/a_b" is "-srv-a-b".
std::string dashed_path(std::string_view path);
// The same with what tells two long paths apart: cut to 200 letters and a hash of the whole.
std::string dashed_path_of_at_most_200(std::string_view path);

// ISO-8601 as milliseconds since 1970.
std::int64_t epoch_ms(std::string_view iso);

// "data:image/png;base64,…"
std::string data_url(const Block& image);

}  // namespace holdfast::inline v1
