// What is said of a session of another agent of which the file is empty or gone, while something else still names it.
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

// Of a session that was read and of which nobody said anything; a new one of our own is as empty.
inline void note_if_empty(const Layout& layout, const DirectoryFeed& feed, const Place& file,
                          std::vector<Finding>& findings) {
  const auto read = feed.read_files().find(file);
  if (!findings.empty() || layout.writable() || read == feed.read_files().end() || read->second.size != 0) return;
  findings.push_back(empty_session(file, read->second == Fingerprint::missing()));
}

}  // namespace holdfast::inline v1
