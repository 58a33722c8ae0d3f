// Puts a rescued copy in the place of a damaged session file and keeps the damaged file
// beside it, under a name that the agent does not read; and undoes it. No byte of either file
// is ever changed or removed. Thread-safety: free functions; the caller makes sure that the
// agent is not running the session.
#pragma once

#include <holdfast/file_system.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct InstalledRescue {
  std::string name;  // the session's file, in the directory
  std::string kept;  // the previous file, beside it
};

// `seen` is the state of the file when it was rescued: fails with conflict if the file has changed. At
// every moment the name refers to the damaged file or to the whole copy. Durable on return.
Result<InstalledRescue> install_rescue(Directory& directory, const std::string& name, std::string_view bytes,
                                       const FileStat& seen);

// Restores the damaged file that was kept last; the copy stays beside it. Fails with not_found if there is none.
Result<InstalledRescue> undo_rescue(Directory& directory, const std::string& name);

// The file that undo_rescue would restore; fails with not_found if there is none.
Result<std::string> kept_damaged(Directory& directory, const std::string& name);

}  // namespace holdfast::inline v1
