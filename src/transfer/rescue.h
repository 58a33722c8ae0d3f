// Makes a clean copy of a damaged log that its agent can load again: every whole record once, on a
// line of its own, with chains linked and tools paired again where damage separated them. Only
// reads the original. Thread-safety: pure, except for what the Feed reads.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/directory_feed.h"
#include "layout/rescued.h"
#include "transfer/tool_pairs.h"

namespace holdfast::inline v1 {

// The position of a saved record.
struct RecordSpan {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

// A kind that is not a gap: the bytes were unpacked and are in the copy, but may be wrong.
inline constexpr std::string_view kUnconfirmedGap = "unconfirmed";

// Sets RescuedRecord::after_loss; `places` are the positions of `records`, in order.
void mark_losses(std::vector<RescuedRecord>& records, std::span<const RecordSpan> places,
                 std::span<const RescueGap> gone);

// How the records of a log are chained; empty if they are not, as in Codex and Gemini.
RecordChain chain_of(const std::vector<RescuedRecord>& records);

// Lines up to this length are read and copied whole, whatever limit readers have.
inline constexpr std::size_t kLongestRescued = std::size_t{512} << 20;

// `log` is a log of JSON records, plain or compressed; the copy is plain. Fails with unsupported for other files,
// because a document or a database has no lines; with not_found if it has no whole record (corrupt for a compressed
// log); and with too_large if a line is too long to copy: nothing is left out because of its length.
Result<Rescued> rescue_log(DirectoryFeed& feed, const Place& log);

}  // namespace holdfast::inline v1
