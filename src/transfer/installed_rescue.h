// A rescued copy in the place of the damaged file of an agent's session, and the damaged file
// beside it under a name that the agent does not read; and back again. No byte of either is
// ever changed or removed. Thread-safety: free functions; the caller sees to it
// that the agent is not running the session.
#pragma once

#include <holdfast/file_system.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct InstalledRescue {
  std::string name;  // the session's file, in the directory
  std::string kept;  // what was there before, beside it
};

// `seen` is what the file was when it was rescued: conflict when it is another now. At every
// moment the name stands for the damaged file or for the whole copy, which is durable when this returns.
Result<InstalledRescue> install_rescue(Directory& directory, const std::string& name, std::string_view bytes,
                                       const FileStat& seen);

// Puts the damaged file back that was kept last; the copy stays beside it. not_found: none was.
Result<InstalledRescue> undo_rescue(Directory& directory, const std::string& name);

// What undo_rescue would put back; not_found: nothing.
Result<std::string> kept_damaged(Directory& directory, const std::string& name);

}  // namespace holdfast::inline v1
