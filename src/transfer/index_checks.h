// An index file that a layout prescribes, against the sessions that are there.
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
  std::string_view kind;  // "index_lies": damage; "index_stale": a note
  std::string consequence;
  std::string session = {};
  bool named = false;  // by the file, and not there; otherwise it is there
};

// Whether it is as the finding says when it is looked at once more; `ids`: of the sessions that are there now.
Result<bool> still_lies(const IndexFiles& index, Feed& feed, const IndexFinding& finding,
                        const std::set<std::string, std::less<>>& ids);

// `rows` are all sessions of the group. Nothing
// when the file is missing: it is derived. One that cannot be read is the
// layout's own complaint.
Result<std::vector<IndexFinding>> check_index(const IndexFiles& index, Feed& feed, std::string_view group,
                                              std::span<const Session> rows, const Moment& moment);

}  // namespace holdfast::inline v1
