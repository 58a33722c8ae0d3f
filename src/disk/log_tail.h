// Repairs the end of one of our own logs after a crash left bytes without a newline.
#pragma once

#include <holdfast/append_log.h>

#include <string_view>

namespace holdfast::inline v1 {

// Makes the log end in a newline. Requires the log's exclusive lock,
// LogMode::ours, and a last byte that is not '\n'. If a whole record can be
// found in the tail, the tail stays and is sealed with a newline; otherwise it
// is copied to the quarantine and then cut (I-4). If the copy cannot be made,
// the tail is sealed too: readers report it and nothing is lost.
Result<Finding> mend_tail(const Context& context, Root& root, std::string_view path, File& file, std::size_t max_line);

}  // namespace holdfast::inline v1
