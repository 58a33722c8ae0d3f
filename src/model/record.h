// Typed records: a struct of members, and the text that it was read from. One table per type names its members;
// reading, writing and patching use it. Members that the table does not name stay in the text, and everything keeps
// its formatting: both survive every change (rule 3). A type T has `std::string id`, `std::string source` (empty
// for a new record) and a kMembers<T>.
// Thread-safety: plain values.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// The spellings of an enumeration, in its order.
template <typename E>
inline constexpr std::array<std::string_view, 0> kWords = {};

template <typename E>
std::optional<E> known_word(std::string_view text) {
  for (std::size_t i = 0; i < kWords<E>.size(); ++i) {
    if (kWords<E>[i] == text) return static_cast<E>(i);
  }
  return std::nullopt;
}

// One of the words; an unknown word keeps its text.
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

// A value that is not interpreted: any JSON as written; empty if none.
struct JsonText {
  std::string raw = {};
  JsonView view() const { return JsonView(raw); }
  bool operator==(const JsonText&) const = default;
};

template <typename T>
struct Member {
  std::string_view name;
  void (*read)(JsonView value, T& record);  // a value of the wrong kind reads as empty
  std::string (*json)(const T& record);     // empty if none, written as null
};
// The members of a type.
template <typename T>
inline constexpr std::array<Member<T>, 0> kMembers = {};

namespace record_values {

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

}  // namespace record_values

template <auto Where>
struct MemberAt;
template <typename T, typename V, V T::* Where>
struct MemberAt<Where> {
  using Row = Member<T>;
  static void read(JsonView value, T& record) { record_values::read(value, record.*Where); }
  static std::string json(const T& record) { return record_values::spell(record.*Where); }
  static std::string json_unless_empty(const T& record) { return record.*Where == V() ? std::string() : json(record); }
};

// Table rows. A required member is written even if it is empty.
template <auto Where>
constexpr auto required(std::string_view name) {
  return typename MemberAt<Where>::Row{name, MemberAt<Where>::read, MemberAt<Where>::json};
}
template <auto Where>
constexpr auto optional(std::string_view name) {
  return typename MemberAt<Where>::Row{name, MemberAt<Where>::read, MemberAt<Where>::json_unless_empty};
}

// Never fails: a value that cannot be read is not set, and stays in the source.
template <typename T>
T parse_record(std::string source) {
  T record;
  for (const JsonItem& item : JsonView(source).fields()) {
    if (item.key_is("id")) record_values::read(item.value, record.id);
    for (const Member<T>& member : kMembers<T>) {
      if (item.key_is(member.name)) member.read(item.value, record);
    }
  }
  record.source = std::move(source);
  return record;
}

// The members that differ from the source, as an object: a patch, or for a new record everything it contains.
// Never includes the id.
template <typename T>
std::string changes_in(const T& record) {
  const T before = parse_record<T>(record.source);
  JsonWriter changes;
  changes.begin_object();
  for (const Member<T>& member : kMembers<T>) {
    const std::string now = member.json(record);
    if (record.source.empty() ? now.empty() : now == member.json(before)) continue;
    changes.key(member.name).raw(now.empty() ? "null" : now);
  }
  return changes.end_object().take();
}

// `source` with the members of `changes` set; all other bytes stay.
std::string spliced(const std::string& source, std::string changes);
template <typename T>
std::string json_of(const T& record) {
  return spliced(record.source, changes_in(record));
}

}  // namespace holdfast::inline v1
