// A clean copy of a damaged log that its agent can load again: every whole record
// once, on a line of its own, chains linked and tools paired again where damage
// parted them. The original is only read. Thread-safety: pure but for what the Feed reads.
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

// Where a record that was saved stood.
struct RecordSpan {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

// The kind of gap that is none: what was unpacked there is in the copy and may be wrong.
inline constexpr std::string_view kUnconfirmedGap = "unconfirmed";

// Sets RescuedRecord::behind_loss; `places` are those of `records`, in their order.
void mark_losses(std::vector<RescuedRecord>& records, std::span<const RecordSpan> places,
                 std::span<const RescueGap> gone);

// The chain that a log is made of; empty: none, as in Codex and Gemini.
RecordChain chain_of(const std::vector<RescuedRecord>& records);

// Lines of that length are read whole and copied, however long readers accept them.
inline constexpr std::size_t kLongestRescued = std::size_t{512} << 20;

// `log` is a log of JSON records, plain or packed; the copy is plain. unsupported for other files: a document or a
// database has no lines to save. not_found when there is no whole record in it (corrupt: of a packed one), too_large
// when a line is too long to be copied: nothing is left out for its length.
Result<Rescued> rescue_log(DirectoryFeed& feed, const Place& log);

}  // namespace holdfast::inline v1
