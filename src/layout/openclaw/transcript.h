// The events of one session, wherever openclaw keeps them by now: rows, rows
// that it compressed, or an archive of a session that was not used for long.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "layout/feed.h"

namespace holdfast::inline v1::openclaw {

// Every event in order with its number, until the taker says false. What cannot
// be unpacked is complained of and left out.
using TakeEvent = std::function<bool(std::string_view json, std::uint64_t number)>;
Result<void> read_transcript(Feed& feed, const Place& database, const std::string& session, const TakeEvent& take);

}  // namespace holdfast::inline v1::openclaw
