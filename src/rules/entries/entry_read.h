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

// Returns the last `count` entries of a log that was folded to its end; fewer if there are fewer. Does not read what is
// before them.
Result<std::vector<std::string>> read_last_entries(const Context& context, Directory& directory,
                                                   const std::string& path, const EntryFold& fold, std::size_t count);

}  // namespace holdfast::inline v1
