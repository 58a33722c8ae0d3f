// A clean copy of a damaged log that its agent can load again: every whole record
// once, on a line of its own, chains linked and tools paired again where damage
// parted them. The original is only read. Thread-safety: pure but for what the Feed reads.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "index/directory_feed.h"
#include "transfer/tool_pairs.h"

namespace holdfast::inline v1 {

// Bytes that could not be saved.
struct RescueGap {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string kind = {};  // as `verify` calls it
};

// Where a record that was saved stood.
struct RecordSpan {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

// Sets RescuedRecord::behind_loss; `places` are those of `records`, in their order.
void mark_losses(std::vector<RescuedRecord>& records, std::span<const RecordSpan> places,
                 std::span<const RescueGap> gone);

struct Rescued {
  std::string bytes = {};      // the clean copy
  std::uint64_t records = 0;   // in it
  std::uint64_t salvaged = 0;  // of those: found inside damaged lines
  std::uint64_t repeated = 0;  // a record with its id again, left out
  std::uint64_t linked = 0;    // that followed a lost record and now follow the one before it
  std::uint64_t headers = 0;   // made anew (0 or 1)
  ToolRepairs tools = {};      // calls and results of tools that were paired again
  std::uint64_t lost = 0;      // of a database: rows that are known to be unreadable, or whose message is
  std::vector<RescueGap> gone = {};
};

// `log` is a log of JSON records. unsupported for other files: a document or a
// database has no lines to save. not_found when there is no whole record in it.
Result<Rescued> rescue_log(DirectoryFeed& feed, const Place& log);

}  // namespace holdfast::inline v1
