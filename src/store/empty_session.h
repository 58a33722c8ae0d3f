// The finding for a session of another agent whose file is empty or gone while something else still names it.
#pragma once

#include <holdfast/store.h>

#include <vector>

#include "index/directory_feed.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

inline Finding empty_session(const Place& file, bool gone) {
  Finding finding{.file = file.path, .kind = "empty"};
  finding.consequence = gone ? "the file does not exist: the session has no messages yet, or they are lost"
                             : "the file is empty: nothing of the session is in it";
  return finding;
}

// Adds the finding if a session was read without any finding and its file is empty. Skips writable layouts, where a new
// session of ours is empty too.
inline void note_if_empty(const Layout& layout, const DirectoryFeed& feed, const Place& file,
                          std::vector<Finding>& findings) {
  const auto read = feed.read_files().find(file);
  if (!findings.empty() || layout.writable() || read == feed.read_files().end() || read->second.size != 0) return;
  findings.push_back(empty_session(file, read->second == Fingerprint::missing()));
}

}  // namespace holdfast::inline v1
