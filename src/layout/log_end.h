// Where the conversation of a log ends. Thread-safety: pure function over a feed.
#pragma once

#include <string>

#include "layout/feed.h"
#include "layout/writable_layout.h"

namespace holdfast::inline v1 {

// Returns the record that the next message follows: the last one that marks the end of the conversation
// (LineWriter::marks_end), else the last record; empty for an empty log. Reads only the end of the log.
Result<std::string> record_at_end(Feed& feed, const LineWriter& line_writer);

}  // namespace holdfast::inline v1
