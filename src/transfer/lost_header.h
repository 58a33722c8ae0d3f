// The first record of a log, without which some agents do not load it, made again
// when damage took it: from what the torn line still holds,
// the file's name and the other records. Thread-safety: pure but for what the Feed reads.
#pragma once

#include <span>
#include <string>

#include "layout/feed.h"
#include "layout/rescued.h"

namespace holdfast::inline v1 {

// Empty: the header is there, or the agent needs none. `records` are those of `log` that were saved, at least one.
std::string lost_header(Feed& feed, const Place& log, std::span<const RescuedRecord> records);

}  // namespace holdfast::inline v1
