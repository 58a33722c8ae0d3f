// Every message of a store, session by session, as a stream: what search and
// statistics stand on. Reads only; nothing is kept but what a visitor keeps.
// Thread-safety: as Store; a visitor is called by one thread.
#pragma once

#include <holdfast/store.h>

#include <functional>
#include <string_view>
#include <vector>

#include "model/events.h"

namespace holdfast::inline v1 {

struct WalkWish {
  SessionFilter filter = {};
  bool whole = false;    // texts of answers and tools too; without it only what counting needs
  bool origins = false;  // originals before their forks and copies; else newest first
};

// Asked with each session's row; answers where its messages go, or nullptr to pass it over.
using Visit = std::function<Events*(const Session&)>;
// Called after the last message of a session; false ends the walk.
using Leave = std::function<bool(const Session&)>;

struct WalkReport {
  std::size_t sessions = 0;  // that were visited
  std::vector<StoreFinding> findings = {};
};

Result<WalkReport> walk_store(const Context& context, Store& store, const WalkWish& wish, const Visit& visit,
                              const Leave& leave = {});

}  // namespace holdfast::inline v1
