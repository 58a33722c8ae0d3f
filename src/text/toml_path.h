// Resolves paths in a TOML document, for its edits.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/json_edit.h"
#include "text/json_value.h"
#include "text/toml_nodes.h"

namespace holdfast::inline v1 {

// Returns the value with all keys sorted: TOML does not order keys, so comparisons must ignore their order.
std::string sorted_toml_json(JsonView value);

// How much of a path exists in the document.
struct TomlTrail {
  std::vector<const TomlNode*> nodes;  // the root and the node that each step found
  std::size_t section = 0;             // into nodes: the last one with its own header
};
// Stops at inline tables and arrays, which are written as a whole.
TomlTrail follow_toml(const TomlNode& root, JsonPath path);

std::string replace_bytes(std::string_view doc, std::size_t at, std::size_t end, std::string_view text);

}  // namespace holdfast::inline v1
