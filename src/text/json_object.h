// A document that is an object, looked into and edited: one walk finds its
// members, and an edit moves them along. It finds and spells what JsonView::find,
// json_set and json_remove do, without a walk for every key.
// Lifetime: views point into it and hold until the next edit. Thread-safety: a plain value.
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
  // nullopt unless the text is one whole object; bad UTF-8 in strings is let through.
  static std::optional<JsonObject> read(std::string text);

  const std::string& text() const { return text_; }
  // The value of a key, the last of duplicates; kind `none` when it is missing.
  JsonView find(std::string_view key) const;
  // The errors of json_set and json_remove; nothing changes then.
  Result<void> set(std::string_view key, std::string_view value_json);
  // A new key goes before `next`, in the style that stands there; to the end when that is missing too.
  Result<void> set_before(std::string_view key, std::string_view value_json, std::string_view next);
  Result<void> remove(std::string_view key);

 private:
  struct Member {                  // offsets, so that a moved object still knows them
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
