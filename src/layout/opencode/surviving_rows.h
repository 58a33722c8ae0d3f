// Messages and parts of one session in a database with damaged pages.
#pragma once

#include <optional>
#include <string>

#include "layout/feed.h"

namespace holdfast::inline v1::opencode {

// Passes rows in the form and order of the layout's own query (time, message, part or "", data), except those that
// cannot be read. A part whose message cannot be read comes after a message with empty data. Reports what is lost in
// a finding; `damage` as in base/damaged_database.h.
Result<void> read_surviving_rows(Feed& feed, const Place& database, const std::string& session,
                                 const std::string& damage, const Feed::TakeRow& take);

// The number of lost messages and parts of the session, given that `read` of them were read; 0 unless `missed` says
// that some place could not be read; nullopt if unknown.
std::optional<std::uint64_t> lost_rows(Feed& feed, const Place& database, const std::string& session,
                                       std::uint64_t read, bool missed);

}  // namespace holdfast::inline v1::opencode
