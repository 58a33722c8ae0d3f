// Human-readable numbers. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast::inline v1 {

std::string with_commas(std::uint64_t number);  // "18,204"
std::string in_bytes(std::uint64_t bytes);      // "812 B", "3.4 KB", "95 MB"
std::string in_time(double microseconds);       // "8.4 us", "52 us", "4.1 ms"

}  // namespace holdfast::inline v1
