// A TOML document as a tree with byte positions: the base of reading (toml_value.h) and
// editing (toml_edit.h). Thread-safety: pure functions and plain values.
#pragma once

#include <holdfast/error.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// Limits: dots in a dotted key (when writing, half as many levels); levels of a document; bytes of a document.
inline constexpr std::size_t kTomlMaxChain = 64;
inline constexpr std::size_t kTomlMaxDepth = 128;
inline constexpr std::size_t kTomlMaxBytes = 10'000'000;

enum class TomlKind {
  scalar,
  array,
  inline_table,  // written with braces
  table,         // with a [header], or implied by dotted keys and headers below it
  tables,        // an array written with [[headers]]
};

struct TomlNode {
  TomlKind kind = TomlKind::scalar;
  std::string key = {};                 // empty for the root and for elements
  std::size_t key_at = 0;               // where the key was first written
  std::size_t at = 0;                   // first byte of the value, or of the [header]
  std::size_t end = 0;                  // past the value or the header; for the root: the end of the text
  bool header = false;                  // whether a table has its own [header]; true for the root
  std::string json = {};                // scalar
  std::vector<TomlNode> children = {};  // in document order

  const TomlNode* find(std::string_view name) const;
};

// Errors: corrupt (not TOML, with the line), too_large.
Result<TomlNode> toml_nodes(std::string_view toml);

}  // namespace holdfast::inline v1
