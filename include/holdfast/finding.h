// Something wrong that was found in a file, and what became of it. Plain values.
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
  std::uint32_t salvaged = 0;    // whole records that were found in it
  std::string moved_to = {};     // where the bytes went, or empty
};

}  // namespace holdfast::inline v1
