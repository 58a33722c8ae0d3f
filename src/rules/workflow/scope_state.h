// What tells one state of a part of a project from another: the names, inodes,
// sizes and times of all its files, and the bytes of those that had changed so
// shortly before that another change could leave the same times (decision 34).
// Thread-safety: pure but for the files that it reads.
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
  bool racy = false;                             // bytes went into it
  std::map<std::string, std::int64_t> modified;  // path -> mtime_ns

  // "looked-digest", for callers to hand back.
  std::string token() const;
};

// Of the files and directories `paths`, as it would have been seen at `looked_ns`.
// Directories are walked, by symbolic links too, but for those called .git,
// .lopen and .holdfast; a path that is missing is part of the state.
// too_large above 200,000 files.
Result<ScopeState> look_at_scope(const Context& context, Directory& project, const std::vector<std::string>& paths,
                                 std::int64_t looked_ns);

// The time in a token; 0 when it is none.
std::int64_t looked_in(std::string_view token);

}  // namespace holdfast::inline v1
