// Messages and parts of one session out of a database of which pages are damaged.
#pragma once

#include <optional>
#include <string>

#include "layout/feed.h"

namespace holdfast::inline v1::opencode {

// Rows as the layout's own question gives them and in its order (time, message, part or "", data), but for those that
// cannot be read; a part whose message cannot be read comes after a message with empty data. Says in a finding what
// is lost.
Result<void> read_left_rows(Feed& feed, const Place& database, const std::string& session, const Feed::TakeRow& take);

// How many messages and parts of the session are lost when `read` of them could be read and `missed` says whether any
// place could not; nullopt: that is not known.
std::optional<std::uint64_t> lost_rows(Feed& feed, const Place& database, const std::string& session,
                                       std::uint64_t read, bool missed);

}  // namespace holdfast::inline v1::opencode
