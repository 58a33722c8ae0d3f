// Reading JSON from the front to the back in one walk: for records of which
// nearly every value is wanted, where a JsonView would walk each level again.
// Lifetime: slices point into the text. Thread-safety: one owner.
// The text should have passed check_json; on other bytes every answer is still
// memory-safe, and the cursor ends where the text breaks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text);

  // Of the value at hand.
  JsonKind kind() const;

  // Steps into the value at hand; false, and nothing moves, when it is something else.
  bool enter_object() { return enter('{'); }
  bool enter_array() { return enter('['); }

  // To the next key, without its quotes and with its escapes as written; the
  // value at hand is its value, and must be stepped over or into by the caller.
  // False after the last one: the cursor is behind the object then.
  bool next_key(std::string_view& key);
  // The same for an array.
  bool next_element();

  // Steps over the value at hand; its bytes.
  JsonView skip();
  // Steps over it; its text when it is a string, else empty. Always valid UTF-8.
  std::string text();
  // Steps over it; the bytes between the quotes of a string without escapes, else empty.
  std::string_view word();

 private:
  bool enter(char open);
  bool next(char close);
  void give_up() { at_ = text_.size(); }
  void skip_space();

  std::string_view text_;
  std::size_t at_ = 0;
  bool first_ = false;  // just stepped into a container
};

}  // namespace holdfast::inline v1
