// Builds JSON text from front to back.
// Thread-safety: one owner. The writer relies on the caller for the order of calls (a
// key before each value of an object, begin and end in pairs): a wrong order produces
// wrong JSON, never undefined behavior. Strings: see append_json_string.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::inline v1 {

enum class JsonLayout {
  compact,  // no whitespace: one line, whatever the strings contain
  pretty,   // two spaces per level, "\n", empty containers as {} and []
};

class JsonWriter {
 public:
  explicit JsonWriter(JsonLayout layout = JsonLayout::compact) : pretty_(layout == JsonLayout::pretty) {}

  // Reserves space for `bytes` more bytes.
  JsonWriter& expect(std::size_t bytes) {
    out_.reserve(out_.size() + bytes);
    return *this;
  }

  JsonWriter& begin_object() { return begin('{', '}'); }
  JsonWriter& end_object() { return end(); }
  JsonWriter& begin_array() { return begin('[', ']'); }
  JsonWriter& end_array() { return end(); }
  JsonWriter& key(std::string_view name);

  JsonWriter& string(std::string_view text);
  JsonWriter& int64(std::int64_t value);
  JsonWriter& uint64(std::uint64_t value);
  // Writes the shortest text that reads back as the same double. JSON has no NaN and no
  // infinity: they are written as null.
  JsonWriter& number(double value);
  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonWriter& null() { return raw("null"); }
  // Writes an array of strings.
  template <typename Texts = std::initializer_list<std::string_view>>
  JsonWriter& strings(const Texts& texts) {
    begin_array();
    for (const std::string_view text : texts) string(text);
    return end_array();
  }
  // Copies one whole JSON value as it is.
  JsonWriter& raw(std::string_view json);

  const std::string& text() const { return out_; }
  // Returns the text and resets the writer.
  std::string take();

 private:
  struct Level {
    char close;
    bool empty;
  };

  JsonWriter& begin(char open, char close);
  JsonWriter& end();
  void before_item();
  void new_line();

  bool pretty_;
  bool after_key_ = false;
  std::vector<Level> levels_;
  std::string out_;
};

}  // namespace holdfast::inline v1
