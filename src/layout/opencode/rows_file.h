// A session's rows as a file, one row per line: {"table":"message","row":{"id":…}}. The
// session's own row comes first, then that of its project, each message before its
// parts, to-dos last. Format: docs/formats/archive.md.
#pragma once

#include <string_view>

#include "layout/feed.h"
#include "layout/layout.h"
#include "layout/opencode/session_row.h"

namespace holdfast::inline v1::opencode {

inline constexpr std::string_view kRowsFolder = ".rows";
inline constexpr std::string_view kRowsEnd = ".ndjson";

bool is_rows_file(const Place& place);
// Passes every session that is stored as such a file; returns false if the caller wants no more.
Result<bool> list_rows_files(Feed& feed, const Layout::TakeRef& take);

// Passes the row of the session to `begin`, then the rows of messages and parts to `take`, as the query
// over a database would: time, message, part, data.
Result<SessionRow> read_rows_file(Feed& feed, const Place& file, const std::function<void(const SessionRow&)>& begin,
                                  const Feed::TakeRow& take);

}  // namespace holdfast::inline v1::opencode
