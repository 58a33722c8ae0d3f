// The end of a log of ours after a crash: bytes without a newline.
#pragma once

#include <holdfast/append_log.h>

#include <string_view>

namespace holdfast::inline v1 {

// Makes the log end in a newline. Only under the log's exclusive lock, only for
// LogMode::ours, only when the last byte is not '\n'. A tail in which a whole
// record can be found is sealed with a newline and stays; anything else is
// copied to the quarantine and then cut (I-4). When the copy cannot be made the
// tail is sealed too: readers report it, nothing is lost.
Result<Finding> mend_tail(const Context& context, Root& root, std::string_view path, File& file, std::size_t max_line);

}  // namespace holdfast::inline v1
