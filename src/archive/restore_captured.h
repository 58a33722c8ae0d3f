// A session back from the archive, where its agent finds it (decision 40). Paths inside captures are for
// display: what is written is what the layout here calls a file of that session, below one directory, as new
// plain files (0600), the main one last. Nothing that is there is ever changed.
// Crash-safety: a name appears with its whole, durable content; what a crash interrupts can be done again.
#pragma once

#include <string>
#include <vector>

#include "archive/archive.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

struct RestoreWish {
  std::string root;          // the directory of the store, absolute; made when it is missing
  bool exact_times = false;  // as they were; else the files are as new as they are
  std::string imports = {};  // the directory for a file that the agent takes in by a command, absolute
};

struct RestoredFiles {
  std::vector<std::string> written;  // below the root
  std::vector<std::string> already;  // there with the same bytes
  std::vector<Finding> findings;
  std::string import_command;  // takes the session in from import_file; empty: the agent finds the files itself
  std::string import_file;     // absolute
};

// conflict, with what differs, when a file of another content is there; nothing is written then.
// unsupported when this layout has no such files; corrupt when the archive cannot tell all its bytes.
Result<RestoredFiles> restore_captured(const Context& context, FileSystem& file_system, Packs& packs,
                                       const CaptureKey& key, const CapturedSession& session, const Layout& layout,
                                       const RestoreWish& request);

}  // namespace holdfast::inline v1
