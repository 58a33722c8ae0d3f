// How an agent shows that one of its processes has a session open. Data only:
// store/live_owners.h checks whether the process is alive.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "layout/feed.h"

namespace holdfast::inline v1 {

struct SessionRef;

struct LiveSign {
  std::string session = {};
  std::int64_t pid = 0;     // of the process; 0 for whoever holds a lock on the file
  std::uint64_t start = 0;  // of the process, in clock ticks since boot; 0: before the file was written
  Place file = {};          // the file with this sign
};

struct LiveSigns {
  // All signs that the store keeps in one place.
  Result<std::vector<LiveSign>> (*of_store)(Feed& feed) = nullptr;
  // The signs beside a session.
  std::vector<LiveSign> (*of_session)(const SessionRef& ref) = nullptr;
};

}  // namespace holdfast::inline v1
