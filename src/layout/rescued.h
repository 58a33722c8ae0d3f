// What rescue saves of a damaged session, and says about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct RescuedRecord {
  std::string bytes;         // one JSON object
  bool behind_loss = false;  // bytes between the record before and this one are lost
  bool made_text = false;    // a result that was made plain text
};

// Bytes that could not be saved.
struct RescueGap {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string kind = {};  // as `verify` calls it
};

struct ToolRepairs {
  std::uint64_t results_made = 0;
  std::uint64_t calls_made = 0;
  std::uint64_t results_as_text = 0;
  std::uint64_t restored = 0;  // records that others repeat
};

struct Rescued {
  std::string bytes = {};      // the clean copy
  std::uint64_t records = 0;   // in it
  std::uint64_t salvaged = 0;  // of those: found inside damaged lines
  std::uint64_t repeated = 0;  // a record with its id again, left out
  std::uint64_t linked = 0;    // that followed a lost record and now follow the one before it
  std::uint64_t headers = 0;   // made anew (0 or 1)
  std::uint64_t cleaned = 0;   // records with bytes that are not UTF-8, which U+FFFD stands for now
  ToolRepairs tools = {};      // calls and results of tools that were paired again
  // Of a database: rows of the session that cannot be read or hold no JSON; nullopt: how many is not known.
  std::optional<std::uint64_t> lost = 0;
  std::vector<RescueGap> gone = {};
};

}  // namespace holdfast::inline v1
