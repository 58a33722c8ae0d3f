// Reads logs of entries without a lock. Thread-safety: pure functions of the files.
#pragma once

#include <holdfast/finding.h>
#include <holdfast/log_reader.h>
#include <holdfast/store.h>

#include <string>
#include <vector>

#include "rules/entries/entry_fold.h"

namespace holdfast::inline v1 {

class FileStore;

// Fails with unsupported for a layout without entries.
Result<FileStore*> entries_of(Store& store);

struct EntryLogRead {
  EntryContents contents;
  std::uint64_t changed = 0;  // end of the last line that changed the stream
  std::vector<Finding> findings;
};
// Fails with not_found if there is no log.
Result<EntryLogRead> read_entry_log(const Context& context, Directory& directory, const std::string& path);

}  // namespace holdfast::inline v1
