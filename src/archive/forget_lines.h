// Takes the forgotten lines out of the archive: out of every version of every file. A file that
// lost some is holed, and says so. Thread-safety: as the writer's.
//
// Crash-safety: which lines go is durable before (ArchiveWriter::note_forgotten, pending); what a
// crash leaves is done again from that note alone, and the log is replaced at once.
#pragma once

#include "archive/archive_writer.h"

namespace holdfast::inline v1 {

struct HoledArchive {
  Rewritten rewritten = {};
  std::set<CaptureKey> holed = {};  // sessions that lost a line now
};

// `among`: sessions that may hold one; nullptr: all are looked at. Sessions that are forgotten as a whole go too.
Result<HoledArchive> forget_lines(const Context& context, ArchiveWriter& writer,
                                  const std::set<CaptureKey>* among = nullptr);

}  // namespace holdfast::inline v1
