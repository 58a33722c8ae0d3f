// By what an agent itself shows that one of its processes has a session open.
// Plain values; whether the process lives is looked at elsewhere (store/live_owners.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "layout/feed.h"

namespace holdfast::inline v1 {

struct SessionRef;

struct LiveSign {
  std::string session = {};
  std::int64_t pid = 0;     // of the process; 0: whoever holds a lock of the file
  std::uint64_t start = 0;  // when it started, in clock ticks since boot; 0: before the file was written
  Place file = {};          // that says so
};

struct LiveSigns {
  // All that the store has in one place.
  Result<std::vector<LiveSign>> (*of_store)(Feed& feed) = nullptr;
  // Those that lie beside a session.
  std::vector<LiveSign> (*of_session)(const SessionRef& ref) = nullptr;
};

}  // namespace holdfast::inline v1
