// Where the conversation of a log ends. Thread-safety: pure function over a feed.
#pragma once

#include <string>

#include "layout/feed.h"
#include "layout/writable_layout.h"

namespace holdfast::inline v1 {

// The record that the next message follows: the last one that tells the end of the conversation
// (LineWriter::tells_end), else the last one; empty for an empty log. Costs the records behind it.
Result<std::string> record_at_end(Feed& feed, const LineWriter& line_writer);

}  // namespace holdfast::inline v1
