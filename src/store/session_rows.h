// The rows of all sessions of a store, with what the index knows beside them.
#pragma once

#include <holdfast/store.h>

#include <vector>

#include "index/session_entry.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

// Sessions, refs and entries of the same number belong together.
struct SessionRows {
  std::vector<Session> sessions = {};
  std::vector<SessionRef> refs = {};
  std::vector<SessionEntry> entries = {};  // without their rows; empty when only rows were wished for
  std::vector<std::size_t> order = {};     // of those that pass the filter, newest first
  std::vector<StoreFinding> findings = {};
};

}  // namespace holdfast::inline v1
