// The lines of an archive's log, for code that rewrites the log. Thread-safety: as the packs'.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "archive/archive.h"

namespace holdfast::inline v1 {

struct LogLine {
  CaptureLine read;
  std::string bytes;
};

// Returns the lines that are captures and skips everything else.
Result<std::vector<LogLine>> log_lines(const Context& context, Directory& directory);

// The array of files, from the line itself or from its chunks.
Result<std::string> files_in(const CaptureLine& line, Packs& packs);

// Adds the chunks that the line names. If its list of files cannot be read, fails and adds only the chunks of the list
// itself.
Result<void> note_names(const CaptureLine& line, Packs& packs, std::unordered_set<std::string>& needed);

}  // namespace holdfast::inline v1
