// A problem that was found in a file, and what was done about it. Plain values.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast::inline v1 {

struct Finding {
  std::string file = {};  // relative to its root
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string kind = {};         // a word: "torn", "nul", "conflict", ...
  std::string consequence = {};  // a sentence for people
  std::uint32_t salvaged = 0;    // whole records found in these bytes
  std::string moved_to = {};     // where the bytes were moved, or empty
};

}  // namespace holdfast::inline v1
