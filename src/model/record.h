// Records with types: a struct of members, and the text that it was read from. One table a type names its members;
// reading, writing and patching come from that. What the table does not name stays in the text, and so does the way
// in which everything was written: both survive every change (rule 3).
// A type T has `std::string id`, `std::string source` (empty: a new record) and `static std::span<const Member<T>>
// members()`. Thread-safety: plain values.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// The words of an enumeration, in its order.
template <typename E>
inline constexpr std::array<std::string_view, 0> kWords = {};

template <typename E>
std::optional<E> known_word(std::string_view text) {
  for (std::size_t i = 0; i < kWords<E>.size(); ++i) {
    if (kWords<E>[i] == text) return static_cast<E>(i);
  }
  return std::nullopt;
}

// One of the words; an unknown one keeps its text.
template <typename E>
class Word {
 public:
  Word() = default;
  Word(E known) : text_(kWords<E>[static_cast<std::size_t>(known)]) {}
  explicit Word(std::string text) : text_(std::move(text)) {}

  const std::string& text() const { return text_; }
  std::optional<E> known() const { return known_word<E>(text_); }
  bool operator==(const Word&) const = default;
  friend bool operator==(const Word& word, E known) { return word.text_ == kWords<E>[static_cast<std::size_t>(known)]; }

 private:
  std::string text_;
};

// A value that nobody looks into: any JSON as it was written; empty: none.
struct JsonText {
  std::string raw = {};
  JsonView view() const { return JsonView(raw); }
  bool operator==(const JsonText&) const = default;
};

template <typename T>
struct Member {
  std::string_view name;
  void (*read)(JsonView value, T& record);  // a value of the wrong kind reads as none
  std::string (*json)(const T& record);     // empty: none, written as null
};

namespace record_members {

inline void read(JsonView value, std::string& text) { text = value.as_string().value_or(""); }
inline void read(JsonView value, bool& flag) { flag = value.as_bool().value_or(false); }
inline void read(JsonView value, JsonText& json) { json.raw = value.is_null() ? std::string() : value.raw(); }
template <typename E>
void read(JsonView value, Word<E>& word) {
  word = Word<E>(value.as_string().value_or(""));
}

inline std::string spell(const std::string& text) { return JsonWriter().string(text).take(); }
inline std::string spell(bool flag) { return flag ? "true" : "false"; }
inline std::string spell(const JsonText& json) { return json.raw; }
template <typename E>
std::string spell(const Word<E>& word) {
  return spell(word.text());
}

template <auto Where>
struct Of;
template <typename T, typename V, V T::* Where>
struct Of<Where> {
  static void read(JsonView value, T& record) { record_members::read(value, record.*Where); }
  static std::string json(const T& record) { return spell(record.*Where); }
  static std::string json_unless_empty(const T& record) { return record.*Where == V() ? std::string() : json(record); }
  static constexpr Member<T> required(std::string_view name) { return {name, read, json}; }
  static constexpr Member<T> optional(std::string_view name) { return {name, read, json_unless_empty}; }
};

using Changed = std::vector<std::pair<std::string_view, std::string>>;  // name, JSON
std::string as_object(const Changed& members);
std::string spliced(const std::string& record, const Changed& members);

template <typename T>
T parse(std::string text) {
  T record;
  for (const JsonItem& item : JsonView(text).fields()) {
    if (item.key_is("id")) read(item.value, record.id);
    for (const Member<T>& member : T::members()) {
      if (item.key_is(member.name)) member.read(item.value, record);
    }
  }
  record.source = std::move(text);
  return record;
}

template <typename T>
Changed changed(const T& record) {
  const T before = parse<T>(record.source);
  Changed changes;
  for (const Member<T>& member : T::members()) {
    std::string now = member.json(record);
    if (record.source.empty() ? now.empty() : now == member.json(before)) continue;
    changes.emplace_back(member.name, now.empty() ? "null" : std::move(now));
  }
  return changes;
}

}  // namespace record_members

// The rows of a table. A required member is written even when it is empty.
template <auto Where>
constexpr auto required(std::string_view name) {
  return record_members::Of<Where>::required(name);
}
template <auto Where>
constexpr auto optional(std::string_view name) {
  return record_members::Of<Where>::optional(name);
}

// Never fails: what cannot be read is not set, and stays in the text.
template <typename T>
T parse_record(std::string text) {
  return record_members::parse<T>(std::move(text));
}

// The members that differ from the text, as an object: a patch, and for a new record all that it says. The id is
// not among them.
template <typename T>
std::string changes_in(const T& record) {
  return record_members::as_object(record_members::changed(record));
}

// The text with the changes in it; all other bytes stay.
template <typename T>
std::string json_of(const T& record) {
  return record_members::spliced(record.source, record_members::changed(record));
}

}  // namespace holdfast::inline v1
