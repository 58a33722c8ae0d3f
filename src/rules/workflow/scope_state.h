// Identifies the state of a part of a project: the names, inodes, sizes and times of
// all its files, and the bytes of files changed so recently that another change could
// leave the same times (decision 34).
// Thread-safety: pure except for the files that it reads.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct ScopeState {
  std::int64_t looked_ns = 0;
  std::string digest;                            // of everything
  bool racy = false;                             // includes bytes of files
  std::map<std::string, std::int64_t> modified;  // path -> mtime_ns

  // Returns "looked-digest", for callers to pass back.
  std::string token() const;
};

// Returns the state of the files and directories `paths` as it would have been seen at
// `looked_ns`. Walks directories, also through symbolic links, except those named .git,
// .lopen and .holdfast; a missing path is part of the state. Fails with too_large above
// 200,000 files.
Result<ScopeState> compute_scope_state(const Context& context, Directory& project,
                                       const std::vector<std::string>& paths, std::int64_t looked_ns);

// Returns the time in a token; 0 if it is not one.
std::int64_t token_time(std::string_view token);

}  // namespace holdfast::inline v1
