// Checks an index file that a layout prescribes against the existing sessions.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "layout/index_files.h"
#include "layout/moment.h"

namespace holdfast::inline v1 {

struct IndexFinding {
  Place file;
  std::string_view kind;  // "index_lies" is damage, "index_stale" a note
  std::string consequence;
  std::string session = {};
  bool named = false;  // the file names a session that does not exist; if false, the session exists
};

// Looks again whether a finding still holds; `ids` are the sessions that exist now.
Result<bool> is_still_wrong(const IndexFiles& index, Feed& feed, const IndexFinding& finding,
                            const std::set<std::string, std::less<>>& ids);

// `rows` are all sessions of the group. Finds nothing if the file is missing, because
// it is derived. A file that cannot be read is reported by the layout.
Result<std::vector<IndexFinding>> check_index(const IndexFiles& index, Feed& feed, std::string_view group,
                                              std::span<const Session> rows, const Moment& moment);

}  // namespace holdfast::inline v1
