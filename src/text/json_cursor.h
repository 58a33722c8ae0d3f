// Reads JSON from front to back in one walk: for records where nearly every value is
// wanted and a JsonView would walk each level again. Lifetime: slices point into the
// text. Thread-safety: one owner. Skipped values are delimited by quotes and brackets
// only, so the text should have passed check_json, or is_framed_object if nothing from
// it is stored; on other bytes every result is still memory-safe.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/json_marks.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text);
  // Uses `marks` if it has those of that text; may be nullptr. Must outlive the cursor.
  JsonCursor(std::string_view text, const JsonMarks* marks);

  // Kind of the current value.
  JsonKind kind() const {
    if (at_ >= text_.size()) return JsonKind::none;
    switch (text_[at_]) {
      case '{': return JsonKind::object;
      case '[': return JsonKind::array;
      case '"': return JsonKind::string;
      case 't':
      case 'f': return JsonKind::boolean;
      case 'n': return JsonKind::null;
      case '-': return JsonKind::number;
      default: return text_[at_] >= '0' && text_[at_] <= '9' ? JsonKind::number : JsonKind::none;
    }
  }

  // Steps into the current value; returns false and does not move if it is of another kind.
  bool enter_object() { return enter('{'); }
  bool enter_array() { return enter('['); }

  // Moves to the next key. `key` has no quotes, and its escapes as written; the value
  // of the key becomes the current value, which the caller must step over or into.
  // Returns false after the last key; the cursor is past the object then.
  bool next_key(std::string_view& key) {
    if (!next('}')) return false;
    const std::size_t end = string_end();
    if (end == std::string_view::npos) return give_up();
    key = text_.substr(at_ + 1, end - at_ - 2);
    at_ = end;
    skip_space();
    if (at_ >= text_.size() || text_[at_] != ':') return give_up();
    ++at_;
    skip_space();
    return true;
  }
  // The same for an array.
  bool next_element() { return next(']'); }

  // Steps over the current value and returns its bytes.
  JsonView skip() { return JsonView(skip_raw()); }
  std::string_view skip_raw() {
    const std::size_t begin = at_;
    return step_over() ? text_.substr(begin, at_ - begin) : std::string_view();
  }
  // Returns false if the value does not end.
  bool step_over();
  // From the current value to the end of the text.
  std::string_view rest() const { return text_.substr(std::min(at_, text_.size())); }
  // Steps over an object or array whose bytes equal `bytes`, which is a whole one;
  // returns false and does not move if they differ.
  bool skip_if(std::string_view bytes);
  // Moves to `left` bytes before the end of the text: a position between two members of
  // the current object, at a comma or at its closing bracket.
  void go_to(std::size_t left) { at_ = text_.size() - std::min(left, text_.size()); }
  // Steps over the current value; returns its text if it is a string, else "". Always valid UTF-8.
  std::string text();
  // Steps over the current value; returns the bytes between the quotes of a string without escapes, else "".
  std::string_view word();

 private:
  bool enter(char open) {
    if (at_ >= text_.size() || text_[at_] != open) return false;
    ++at_;
    first_ = true;
    return true;
  }

  bool next(char close) {
    skip_space();
    if (at_ >= text_.size()) return false;
    const bool first = first_;
    first_ = false;
    if (text_[at_] == close) {
      ++at_;
      return false;
    }
    if (!first) {
      if (text_[at_] != ',') return give_up();
      ++at_;
      skip_space();
    }
    return at_ < text_.size();
  }

  bool give_up() {
    at_ = text_.size();
    return false;
  }

  void skip_space() {
    while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) <= ' ') ++at_;
  }

  // Returns the end of the current string; npos if it is not one. Most strings end in
  // the 64 bytes that were already examined for an earlier string.
  std::size_t string_end() {
    if (at_ >= text_.size() || text_[at_] != '"') return std::string_view::npos;
    const std::size_t from = at_ + 1;
    if (marks_ != nullptr) return marked_end(from);
    if (const std::size_t in = from - seen_; in < kSeen) {
      if (const std::uint64_t quotes = quotes_ >> in; quotes != 0)
        return from + static_cast<std::size_t>(std::countr_zero(quotes)) + 1;
    }
    return look_for_end(from);
  }
  std::size_t look_for_end(std::size_t from);
  // The same using the marks: the quotes of the 64 bytes that start at `from`, which may span two blocks.
  std::size_t marked_end(std::size_t from) const {
    const JsonMarks::Block* const block = marks_ + from / kSeen;
    const std::size_t in = from % kSeen;
    const std::uint64_t quotes = (block[0].quotes >> in) | ((block[1].quotes << 1) << (kSeen - 1 - in));
    if (quotes == 0) return marked_far_end(from);
    const std::size_t end = from + static_cast<std::size_t>(std::countr_zero(quotes)) + 1;
    return end <= text_.size() ? end : std::string_view::npos;
  }
  std::size_t marked_far_end(std::size_t from) const;
  std::size_t marked_closing_end() const;
  std::size_t scalar_end() const;
  // The bytes between the quotes of the string that ends before `end`.
  std::string_view inside(std::size_t end) const { return text_.substr(at_ + 1, end - at_ - 2); }

  static constexpr std::size_t kSeen = 64;

  std::string_view text_;
  std::size_t at_ = 0;
  // Unescaped quotes among the bytes [seen_, seen_ + kSeen).
  std::size_t seen_ = SIZE_MAX;
  std::uint64_t quotes_ = 0;
  const JsonMarks::Block* marks_ = nullptr;  // of text_; nullptr if there are none
  bool first_ = false;                       // just stepped into a container
};

}  // namespace holdfast::inline v1
