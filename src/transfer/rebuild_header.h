// Rebuilds the first record of a log when damage destroyed it and its agent requires it:
// from what is left of the torn line, the file's name and the other records.
// Thread-safety: pure, except for what the Feed reads.
#pragma once

#include <span>
#include <string>

#include "layout/feed.h"
#include "layout/rescued.h"

namespace holdfast::inline v1 {

// Empty if the header exists or the agent needs none. `records` are the saved records of `log`, at least one.
std::string rebuild_header(Feed& feed, const Place& log, std::span<const RescuedRecord> records);

}  // namespace holdfast::inline v1
