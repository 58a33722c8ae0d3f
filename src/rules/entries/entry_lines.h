// The lines of a log of entries: one line is one transaction, so it is there as a whole or not at all.
// Format: docs/formats/holdfast.md, "Entries". Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "rules/entries/entry_key.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

struct EntryLine {
  std::int64_t at = 0;  // milliseconds since 1970
  std::string_view operation = {};
  std::string_view digest = {};
  std::size_t drop = 0;  // number of entries to remove from the end first
  std::span<const std::string> entries = {};
  std::string_view summary = {};  // JSON; empty: unchanged
};

std::string entry_head_line(const EntryKey& key, std::string_view id, std::string_view now);
std::string entry_write_line(const EntryLine& line);

// Values are equal if their canonical JSON is: sorted keys, no spaces, uniform escapes (strings with \u as written).
std::string canonical_json(JsonView value);

}  // namespace holdfast::inline v1
