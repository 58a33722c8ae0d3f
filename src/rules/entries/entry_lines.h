// The lines of a log of entries: one line is one transaction, so that it is there whole or not at all.
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
  std::size_t drop = 0;  // entries that go from the end before these come
  std::span<const std::string> entries = {};
  std::string_view summary = {};  // JSON; empty: as before
};

std::string entry_head_line(const EntryKey& key, std::string_view id, std::string_view now);
std::string entry_write_line(const EntryLine& line);
// Nothing new: it was there already. Written because its sync covers what it repeats.
std::string entry_again_line(std::int64_t at);

// Two values are the same when these are: keys in order, escapes and spaces as this spells them.
std::string canonical_json(JsonView value);

}  // namespace holdfast::inline v1
