// Reading JSON from the front to the back in one walk: for records of which
// nearly every value is wanted, where a JsonView would walk each level again.
// Lifetime: slices point into the text. Thread-safety: one owner.
// What is stepped over is seen by its quotes and brackets only, so the text
// should have passed check_json, or frames_one_object where nothing is kept of
// it; on other bytes every answer is still memory-safe.
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
  // With the marks of that text, if somebody has noted them: they outlive the cursor.
  JsonCursor(std::string_view text, const JsonMarks* marks);

  // Of the value at hand.
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

  // Steps into the value at hand; false, and nothing moves, when it is something else.
  bool enter_object() { return enter('{'); }
  bool enter_array() { return enter('['); }

  // To the next key, without its quotes and with its escapes as written; the
  // value at hand is its value, and must be stepped over or into by the caller.
  // False after the last one: the cursor is behind the object then.
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

  // Steps over the value at hand; its bytes.
  JsonView skip() { return JsonView(skip_raw()); }
  std::string_view skip_raw() {
    const std::size_t begin = at_;
    return step_over() ? text_.substr(begin, at_ - begin) : std::string_view();
  }
  // False when it does not end.
  bool step_over();
  // From the value at hand to the end of the text.
  std::string_view rest() const { return text_.substr(std::min(at_, text_.size())); }
  // Steps over an object or array that is written exactly like `bytes`, which is a
  // whole one; false, and nothing moves, when it is written otherwise.
  bool skip_if(std::string_view bytes);
  // Goes to a place of the text between two members of the object at hand: at a comma,
  // or at its closing bracket.
  void go_to(std::size_t left) { at_ = text_.size() - std::min(left, text_.size()); }
  // Steps over it; its text when it is a string, else empty. Always valid UTF-8.
  std::string text();
  // Steps over it; the bytes between the quotes of a string without escapes, else empty.
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

  // End of the string at hand; npos when it is none. Most end in bytes that were
  // looked at for the string before.
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
  // The same by the marks: the quotes of the 64 bytes from there on, whatever blocks they lie in.
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
  // Which of the bytes [seen_, seen_ + kSeen) are quotes that no backslash escapes.
  std::size_t seen_ = SIZE_MAX;
  std::uint64_t quotes_ = 0;
  const JsonMarks::Block* marks_ = nullptr;  // of text_; nullptr: nobody noted them
  bool first_ = false;                       // just stepped into a container
};

}  // namespace holdfast::inline v1
