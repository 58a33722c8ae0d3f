// The events of one session, wherever openclaw currently keeps them: in rows, in
// compressed rows, or in an archive of a session that has not been used for long.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "layout/feed.h"

namespace holdfast::inline v1::openclaw {

// Passes every event with its number, in order, until `take` returns false. An event
// that cannot be unpacked is a finding and left out.
using TakeEvent = std::function<bool(std::string_view json, std::uint64_t number)>;
Result<void> read_transcript(Feed& feed, const Place& database, const std::string& session, const TakeEvent& take);

}  // namespace holdfast::inline v1::openclaw
