// A document that is an object, for reads and edits of many keys: one walk finds the
// members, and an edit updates their offsets. Same results as JsonView::find, json_set and
// json_remove, without a walk per key. Lifetime: views point into this object and are valid
// until the next edit. Thread-safety: a plain value.
#pragma once

#include <holdfast/error.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

class JsonObject {
 public:
  // Returns nullopt unless the text is one whole object; bad UTF-8 in strings is accepted.
  static std::optional<JsonObject> read(std::string text);

  const std::string& text() const { return text_; }
  // Returns the value of a key, the last one of duplicates; kind `none` if it is missing.
  JsonView find(std::string_view key) const;
  // Fails with the errors of json_set and json_remove; then nothing changes.
  Result<void> set(std::string_view key, std::string_view value_json);
  // Adds a new key before `next`, in the style used there; at the end if `next` is missing too.
  Result<void> set_before(std::string_view key, std::string_view value_json, std::string_view next);
  Result<void> remove(std::string_view key);

 private:
  struct Member {                  // offsets, which stay valid when the object is moved
    std::size_t key_at, key_size;  // quotes included
    std::size_t value_at, value_size;
  };

  bool look();
  const Member* member(std::string_view key) const;
  Result<void> become(Result<std::string> edited);

  std::string text_;
  std::vector<Member> members_;
};

}  // namespace holdfast::inline v1
