// What rescue saves of a damaged session, and its report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct RescuedRecord {
  std::string bytes;        // one JSON object
  bool after_loss = false;  // bytes between the previous record and this one are lost
  bool made_text = false;   // a result that was converted to plain text
  bool linked = false;      // its parent is lost, and it follows another record now
};

// Bytes that could not be saved.
struct RescueGap {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string kind = {};  // the name that `verify` uses
};

struct ToolRepairs {
  std::uint64_t results_made = 0;
  std::uint64_t calls_made = 0;
  std::uint64_t results_as_text = 0;
  std::uint64_t restored = 0;  // lost records rebuilt from records that repeat them
};

struct Rescued {
  std::string bytes = {};      // the clean copy
  std::uint64_t records = 0;   // in the copy
  std::uint64_t salvaged = 0;  // of those, found inside damaged lines
  std::uint64_t repeated = 0;  // left out because their id had occurred already
  std::uint64_t linked = 0;    // had followed a lost record and now follow the one before it
  std::uint64_t headers = 0;   // rebuilt, at most one for each log
  std::uint64_t cleaned = 0;   // records in which U+FFFD replaced bytes that are not UTF-8
  ToolRepairs tools = {};      // calls and results of tools that were paired again
  // For a database: rows of the session that cannot be read or hold no JSON; nullopt if the number is unknown.
  std::optional<std::uint64_t> lost = 0;
  std::vector<RescueGap> gone = {};
};

}  // namespace holdfast::inline v1
