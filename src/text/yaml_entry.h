// Positions of the key and the value of one entry of a block mapping.
// Thread-safety: pure functions and plain values.
#pragma once

#include <holdfast/error.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "text/yaml_events.h"

namespace holdfast::inline v1 {

// Offsets into the document.
struct YamlEntry {
  std::size_t value_event = 0;
  std::size_t line = 0;        // first byte of the key's line
  std::size_t key = 0;         // first byte of the key; key - line spaces precede it
  std::size_t colon_end = 0;   // past the colon
  std::size_t value = 0;       // first byte of the value; colon_end if there is none
  std::size_t head_end = 0;    // past the part of the value on its first line: `|2-` of a block scalar
  std::size_t value_end = 0;   // past the last byte of the value, without a trailing comment
  std::size_t region_end = 0;  // start of the line of the next key, or the end of the mapping

  bool empty() const { return value_end == colon_end; }
};

// Returns the entries of the block mapping list[mapping] in order, duplicates included;
// `stop` is the end of the mapping's lines. Errors: unsupported (a key that is not
// first on its line, such as `? key` or `- key`).
Result<std::vector<YamlEntry>> yaml_entries(std::string_view doc, const YamlEvents& events, std::size_t mapping,
                                            std::size_t stop);

// The decoded key of the entry at list[key].
std::string_view yaml_key_text(const YamlEvents& events, std::size_t key);

}  // namespace holdfast::inline v1
