// Restores a session from the archive to where its agent finds it (decision 40). Paths inside captures are
// only for display: the layout decides which files belong to the session. They are written below one
// directory as new plain files (0600), the main one last. Existing files are never changed.
// The restored bytes are the captured ones, with one exception: if the session is renewed and its agent would
// delete it at its next start (Gemini CLI), a main file older than a day gets one more line, and a main file
// without any conversation is left out, with a finding.
// Crash-safety: a name appears with its whole, durable content. An interrupted restore can be repeated.
#pragma once

#include <string>
#include <vector>

#include "archive/archive.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

struct RestoreRequest {
  std::string root;          // the store's directory, absolute; created if missing
  bool exact_times = false;  // restore the modification times; otherwise the files are new
  bool renew = false;        // keep the agent from deleting the session at its next start because of its age
  std::string imports = {};  // directory for a file that the agent imports with a command, absolute
  std::string project = {};  // where the project is now, absolute; empty: unchanged
  bool memory = false;       // also restore what the agent remembered of the project
  bool look = false;         // dry run: changes nothing, and fails as a restore would
};

struct RestoredFiles {
  std::vector<std::string> written;  // relative to the root
  std::vector<std::string> already;  // existed with the same bytes
  std::uint64_t memory = 0;          // how many of both belong to the agent's memory
  std::vector<Finding> findings;
  std::string import_command;  // imports the session from import_file; empty if the agent finds the files itself
  std::string import_file;     // absolute
};

// What the agent remembered of the session's project: the newest state captured with any session of the store.
Versions memory_of_project(const CaptureState& state, const CaptureKey& key, const CapturedSession& session,
                           const Layout& layout);

// Fails with conflict if a file with other content exists, and then writes nothing; unsupported if this
// layout has no such files or none of the requested ones; corrupt if the archive lacks some of the bytes.
// `memory` is the result of memory_of_project and is written only if requested.
Result<RestoredFiles> restore_captured(const Context& context, FileSystem& file_system, Packs& packs,
                                       const CaptureKey& key, const CapturedSession& session, const Layout& layout,
                                       const Versions& memory, const RestoreRequest& request);

}  // namespace holdfast::inline v1
