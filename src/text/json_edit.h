// Lossless edits: one value changes, and every other byte of the document stays.
// Guarantees and style rules: docs/formats/json.md. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// One step down: an object key or an array index. Points at the key's bytes, which must
// outlive the step.
class JsonStep {
 public:
  JsonStep(std::string_view key) : key_(key) {}
  JsonStep(const char* key) : key_(key) {}
  JsonStep(const std::string& key) : key_(key) {}
  template <std::integral T>
  JsonStep(T index) : index_(static_cast<std::size_t>(index)), is_index_(true) {}

  bool is_index() const { return is_index_; }
  std::string_view key() const { return key_; }
  std::size_t index() const { return index_; }

 private:
  std::string_view key_;
  std::size_t index_ = 0;
  bool is_index_ = false;
};

using JsonPath = std::span<const JsonStep>;

// Returns the value at the path; none if it does not exist.
JsonView value_at(JsonView view, JsonPath path);

// Returns `doc` with the value at `path` replaced by `value_json`, byte for byte (only
// surrounding whitespace is dropped). A missing key is added after the last member, an
// index equal to the array's size after the last element; missing containers on the way
// are created (an index step creates an array and must be 0). An empty path replaces
// the whole value. Of duplicate keys, the last one changes.
// Errors: invalid_argument (value or key is not JSON), corrupt (doc is not one whole
// JSON value; bad UTF-8 in strings is accepted), schema_mismatch (a step meets the
// wrong kind), not_found (index past the end), too_large (the result would nest deeper
// than kJsonMaxDepth).
Result<std::string> json_set(std::string_view doc, JsonPath path, std::string_view value_json);

// Returns `doc` without the value at `path`, or unchanged if it does not exist. Removes
// all duplicates of the last key, so none of them takes effect. A container that
// becomes empty loses its inner whitespace.
// Errors: as above, and invalid_argument for an empty path.
Result<std::string> json_remove(std::string_view doc, JsonPath path);

inline Result<std::string> json_set(std::string_view doc, std::initializer_list<JsonStep> path,
                                    std::string_view value_json) {
  return json_set(doc, JsonPath(path.begin(), path.size()), value_json);
}
inline Result<std::string> json_remove(std::string_view doc, std::initializer_list<JsonStep> path) {
  return json_remove(doc, JsonPath(path.begin(), path.size()));
}

}  // namespace holdfast::inline v1
