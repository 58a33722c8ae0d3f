// The lines of an archive's log, for those who rewrite it. Thread-safety: as the packs'.
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

// Those that are captures; what else the log holds is left out.
Result<std::vector<LogLine>> log_lines(const Context& context, Directory& directory);

// The array of files, wherever it stands.
Result<std::string> files_in(const CaptureLine& line, Packs& packs);

// The chunks that the line names; of a list that cannot be read, only its own.
void note_names(const CaptureLine& line, Packs& packs, std::unordered_set<std::string>& needed);

}  // namespace holdfast::inline v1
