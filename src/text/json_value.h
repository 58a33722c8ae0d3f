// Reads JSON in place: a view is a slice of bytes owned by the caller. Lifetime: every
// view and slice points into the text it was made from.
// Thread-safety: plain values. The text should have passed check_json; on other bytes
// every result is still memory-safe, and empty where the text breaks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

enum class JsonKind { none, null, boolean, number, string, array, object };

class JsonItems;

class JsonView {
 public:
  JsonView() = default;
  // Leaves out a byte-order mark and the whitespace around the value.
  explicit JsonView(std::string_view text) {
    // Most values have nothing around them.
    const auto is_edge = [](char byte) { return byte > ' ' && byte <= '~'; };
    if (!text.empty() && is_edge(text.front()) && is_edge(text.back()))
      raw_ = text;
    else
      raw_ = without_edges(text);
  }

  // The bytes of the value as they were written.
  std::string_view raw() const { return raw_; }
  // Determined by the first byte; `none` if there is no value.
  JsonKind kind() const;
  explicit operator bool() const { return kind() != JsonKind::none; }

  // Returns the value of a key, compared after decoding; the last one of duplicates,
  // like most parsers. Returns a view of kind `none` if the key is missing or this is
  // not an object, so lookups can be chained. Costs one walk over the object.
  JsonView find(std::string_view key) const;
  // Empty unless this is an object (fields) or an array (elements).
  JsonItems fields() const;
  JsonItems elements() const;

  // Decoded, always valid UTF-8; see decode_json_string.
  std::optional<std::string> as_string() const;
  // Whether this is a string that decodes to exactly `text`; allocates nothing if it
  // was written without escapes.
  bool is_string(std::string_view text) const;
  // Only integers written as such and in range: no fraction, no exponent.
  std::optional<std::int64_t> as_int64() const;
  // nullopt when a double cannot hold the magnitude (1e400, 1e-400).
  std::optional<double> as_double() const;
  std::optional<bool> as_bool() const;
  bool is_null() const { return raw_ == "null"; }

 private:
  static std::string_view without_edges(std::string_view text);

  std::string_view raw_;
};

// A field of an object, or an element of an array (then raw_key is empty).
struct JsonItem {
  std::string_view raw_key;  // as written, quotes included
  JsonView value;

  std::string key() const;
  bool key_is(std::string_view text) const;
};

// The items of a container, in order, duplicates included; one walk.
class JsonItems {
 public:
  class Iterator {
   public:
    using value_type = JsonItem;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    const JsonItem& operator*() const { return item_; }
    const JsonItem* operator->() const { return &item_; }
    Iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return done_; }

   private:
    friend class JsonItems;
    explicit Iterator(std::string_view container);
    bool read_item();

    std::string_view text_;  // the container
    std::size_t at_ = 0;     // after the last item read
    bool done_ = true;
    JsonItem item_;
  };

  Iterator begin() const { return Iterator(container_); }
  std::default_sentinel_t end() const { return {}; }
  bool empty() const { return begin() == end(); }

 private:
  friend class JsonView;
  explicit JsonItems(std::string_view container) : container_(container) {}

  std::string_view container_;
};

}  // namespace holdfast::inline v1
