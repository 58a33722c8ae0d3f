// The rows of all sessions of a store, with what the index knows about them.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <vector>

#include "index/session_index.h"

namespace holdfast::inline v1 {

// One session of a store. Facts that are rarely needed are unpacked on demand.
struct SessionRow {
  FoundRef found = {};
  SessionHead head = {};
  Status status = Status::unknown;  // takes living processes into account
  // A parent that the session names, or that was found by comparing sessions.
  bool has_parent = false;
  ParentKind parent_kind = ParentKind::fork;
  std::string_view parent_id = {};

  bool is_subagent() const { return has_parent && parent_kind == ParentKind::subagent; }
  Session session() const;
  SessionEntry entry() const;  // without counts
};

struct SessionRows {
  std::vector<SessionRow> all = {};
  std::vector<std::size_t> order = {};  // numbers of those that pass the filter, newest first
  std::vector<Finding> findings = {};
  std::shared_ptr<SessionIndex> index = {};  // the index that has them
  SessionIndex::Holders holders = {};        // own the bytes that the rows are views of
};

}  // namespace holdfast::inline v1
