// Rescue of one session out of opencode's database: every row that can still be
// read, as the JSON that `opencode import` takes. Damaged pages hide only the
// rows on them. Thread-safety: pure but for what the Feed reads.
#pragma once

#include <holdfast/error.h>

#include <string_view>

#include "layout/feed.h"
#include "transfer/rescue.h"

namespace holdfast::inline v1 {

// Rescued::records are messages and parts; ::lost counts rows that could not be
// read, as far as that is known, and parts whose message could not. not_found
// when the database has neither the session nor a message of it, corrupt when
// not even its schema can be read.
Result<Rescued> rescue_opencode(Feed& feed, const Place& database, std::string_view session);

}  // namespace holdfast::inline v1
