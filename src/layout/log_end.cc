#include "layout/log_end.h"

namespace holdfast::inline v1 {

Result<std::string> record_at_end(Feed& feed, const LineWriter& line_writer) {
  for (std::size_t count = 1;; count *= 16) {
    std::string last;
    std::string end;
    HOLDFAST_LET(reached_start, feed.last_records(line_writer.log(), count, UINT64_MAX, [&](const FeedRecord& record) {
      last = record.bytes;
      if (line_writer.marks_end(last)) end = last;
      return true;
    }));
    if (!end.empty()) return end;
    if (reached_start) return last;
  }
}

}  // namespace holdfast::inline v1
