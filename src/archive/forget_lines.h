// Removes the forgotten lines from every version of every file in the archive. A file that loses
// lines is marked as holed. Thread-safety: as the writer's.
//
// Crash-safety: the list of lines is durable first (ArchiveWriter::note_forgotten, pending).
// After a crash, the work is repeated from that list alone; the log is replaced in one step.
#pragma once

#include "archive/archive_writer.h"

namespace holdfast::inline v1 {

struct HoledArchive {
  Rewritten rewritten = {};
  std::set<CaptureKey> holed = {};  // sessions that lost a line in this call
};

// Looks only at the sessions in `among`; nullptr: at all. Also removes sessions that are forgotten as a whole. Fails
// with corrupt if not all captures are whole (check_captures_are_whole).
Result<HoledArchive> forget_lines(const Context& context, ArchiveWriter& writer,
                                  const std::set<CaptureKey>* among = nullptr);

}  // namespace holdfast::inline v1
