// A session back from the archive, where its agent finds it (decision 40). Paths inside captures are for
// display: what is written is what the layout here calls a file of that session, below one directory, as new
// plain files (0600), the main one last. Nothing that is there is ever changed.
// The bytes are those that were captured. Only of a session that is renewed, and only where its agent would delete it
// at its next start (Gemini CLI): a main file that is older than a day ends with one more line, and one that holds no
// conversation is left out, with a finding.
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
  bool renew = false;        // so that the agent does not delete it at its next start for its age
  std::string imports = {};  // the directory for a file that the agent takes in by a command, absolute
  std::string project = {};  // where the project is now, absolute; empty: where it was
  bool memory = false;       // what the agent remembered of the project, too
  bool look = false;         // writes nothing: fails as it would, and says what is there
};

struct RestoredFiles {
  std::vector<std::string> written;  // below the root
  std::vector<std::string> already;  // there with the same bytes
  std::uint64_t memory = 0;          // of both, files of the agent's memory
  std::vector<Finding> findings;
  std::string import_command;  // takes the session in from import_file; empty: the agent finds the files itself
  std::string import_file;     // absolute
};

// What its agent remembered of the session's project, the newest that any session of the store was captured with.
Versions memory_of_project(const CaptureState& state, const CaptureKey& key, const CapturedSession& session,
                           const Layout& layout);

// conflict, with what differs, when a file of another content is there; nothing is written then.
// `memory`: as memory_of_project says, written only where it is wanted.
// unsupported when this layout has no such files, or nothing of what is wanted; corrupt when the archive cannot tell
// all its bytes.
Result<RestoredFiles> restore_captured(const Context& context, FileSystem& file_system, Packs& packs,
                                       const CaptureKey& key, const CapturedSession& session, const Layout& layout,
                                       const Versions& memory, const RestoreWish& request);

}  // namespace holdfast::inline v1
