// Finding the way into a TOML document, for its edits.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/json_edit.h"
#include "text/json_value.h"
#include "text/toml_nodes.h"

namespace holdfast::inline v1 {

// The value with all keys in order: TOML has none, so comparisons must not have one either.
std::string sorted_toml_json(JsonView value);

// How far the document knows the path.
struct TomlTrail {
  std::vector<const TomlNode*> nodes;  // the root and what each step found
  std::size_t section = 0;             // into nodes: the last one with a header of its own
};
// Ends at inline tables and arrays: those are written as a whole.
TomlTrail follow_toml(const TomlNode& root, JsonPath path);

std::string replace_bytes(std::string_view doc, std::size_t at, std::size_t end, std::string_view text);

}  // namespace holdfast::inline v1
