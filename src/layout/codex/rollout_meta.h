// The header of a rollout file (session_meta). Thread-safety: pure functions.
#pragma once

#include <holdfast/session.h>

#include <optional>
#include <string>

#include "text/json_value.h"

namespace holdfast::inline v1::codex {

// A position in a thread: the ordinal if records have one, else the byte offset.
struct Position {
  std::int64_t ordinal = -1;  // -1 if unknown
  std::uint64_t offset = UINT64_MAX;

  // Whether a record with this ordinal and offset precedes this position.
  bool is_after(std::int64_t record_ordinal, std::uint64_t record_offset) const {
    return ordinal >= 0 && record_ordinal >= 0 ? record_ordinal < ordinal : record_offset < offset;
  }
};

// Where the history of a file comes from if it begins in another file.
struct HistoryBase {
  std::string thread;
  Position end;  // exclusive
};

struct Meta {
  SessionFacts facts;
  std::string version;
  std::optional<HistoryBase> base;
};

// `thread` is the session's own id, from the file's name.
Meta read_meta(JsonView payload, std::string_view thread);

}  // namespace holdfast::inline v1::codex
