// The rows of all sessions of a store, with what the index knows beside them.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <vector>

#include "index/session_index.h"

namespace holdfast::inline v1 {

// One session of a store. What is seldom wanted of it is unpacked when it is.
struct SessionRow {
  FoundRef found = {};
  SessionHead head = {};
  Status status = Status::unknown;  // with what living processes tell
  // A parent that it names, or that shows by comparing sessions.
  bool has_parent = false;
  ParentKind parent_kind = ParentKind::fork;
  std::string_view parent_id = {};

  bool is_subagent() const { return has_parent && parent_kind == ParentKind::subagent; }
  Session session() const;
  SessionEntry entry() const;  // without counts
};

struct SessionRows {
  std::vector<SessionRow> all = {};
  std::vector<std::size_t> order = {};  // of those that pass the filter, newest first
  std::vector<Finding> findings = {};
  std::shared_ptr<SessionIndex> index = {};  // that knows them
  SessionIndex::Holders holders = {};        // of the bytes that all this is views of
};

}  // namespace holdfast::inline v1
